import { AntlerError } from '../../base/errors.ts';
import { ok, type Verdict, warn } from './check.ts';

export type Used<Value> =
  | { readonly ok: true; readonly value: Value }
  /** Another process has it. */
  | { readonly ok: false; readonly conflict: AntlerError };

/** Opens something, uses it and closes it again. Rejects with what is wrong, unless it is that another has it. */
export async function using<Opened extends { close(): Promise<void> }, Value>(
  open: () => Promise<Opened>,
  use: (opened: Opened) => Promise<Value>,
): Promise<Used<Value>> {
  try {
    const opened = await open();
    try {
      return { ok: true, value: await use(opened) };
    } finally {
      await opened.close().catch(() => {}); // what counts is whether it could be used
    }
  } catch (error) {
    if (error instanceof AntlerError && error.code === 'conflict') return { ok: false, conflict: error };
    throw error;
  }
}

export const heldByAnother = (conflict: AntlerError): Verdict =>
  warn(`${conflict.message} (fine if that is a running Antler)`);

/** Can the database be used? */
export async function checkStore(
  open: () => Promise<{ check(): Promise<void>; close(): Promise<void> }>,
): Promise<Verdict> {
  const used = await using(open, (opened) => opened.check());
  return used.ok ? ok('can be used') : heldByAnother(used.conflict);
}
