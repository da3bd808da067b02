import { setTimeout as delay } from 'node:timers/promises';

/** Did it come to its end within `ms`? */
export async function within(what: Promise<unknown> | undefined, ms: number): Promise<boolean> {
  const stopTimer = new AbortController();
  const timer = delay(ms, false, { signal: stopTimer.signal }).catch(() => false);
  const ended = await Promise.race([Promise.resolve(what).then(() => true), timer]);
  stopTimer.abort();
  return ended;
}
