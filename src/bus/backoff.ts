import { asAntlerError } from '../base/errors.ts';

const FIRST_MS = 500;
const MOST_MS = 60_000;

/**
 * How long a turn or a delivery waits after a handler threw, in milliseconds: what the error asks for, else doubling
 * from half a second to a minute. `attempt` counts the failures before this one.
 */
export function backoffMs(attempt: number, thrown?: unknown): number {
  const asked = thrown === undefined ? undefined : asAntlerError(thrown).retryAfterMs;
  return asked ?? Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
}
