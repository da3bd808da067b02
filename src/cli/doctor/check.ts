import { setTimeout as delay } from 'node:timers/promises';

export interface Verdict {
  readonly status: 'ok' | 'warn' | 'fail';
  /** What was found and, unless it is well, what to do. No secrets. */
  readonly text: string;
}

export interface Check {
  /** What is checked, e.g. `model main`. */
  readonly subject: string;
  readonly run: (signal: AbortSignal) => Promise<Verdict>;
}

export const ok = (text: string): Verdict => ({ status: 'ok', text });
export const warn = (text: string): Verdict => ({ status: 'warn', text });
export const fail = (text: string): Verdict => ({ status: 'fail', text });

/**
 * Runs one check. Never rejects and never takes longer than `timeoutMs`, also when the check ignores its signal.
 */
export async function carryOut(check: Check, timeoutMs: number): Promise<Verdict> {
  const overdue = new AbortController();
  const done = new AbortController();
  const late = delay(timeoutMs, fail(`no answer within ${timeoutMs / 1000} s`), { signal: done.signal });
  late.catch(() => {});
  late.then(
    () => overdue.abort(),
    () => {},
  );
  try {
    return await Promise.race([check.run(overdue.signal).catch((error: unknown) => fail(reasonOf(error))), late]);
  } finally {
    done.abort();
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').trim() || 'it failed without saying why';
}
