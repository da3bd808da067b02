import type { AntlerError } from '../base/errors.ts';
import type { SendOutcome } from '../bus/port.ts';

/** Attempts before a delivery that only ever fails for passing reasons is given up: with the waits below, ~a day. */
const MAX_ATTEMPTS = 1_446;
const FIRST_DELAY_MS = 1_000;
/** A platform that is back is noticed so soon: every chat that waits tries for itself. */
const MOST_DELAY_MS = 60_000;
/** A wrong token is mended by a person; until then the messages wait. */
const UNAUTHORIZED_DELAY_MS = 60_000;
/** Our own fault: tried a few times, then put before an admin. */
const MAX_FAULTS = 5;

/**
 * What becomes of a delivery that failed. Passing faults wait (as long as the platform asks, else doubling to a
 * minute); what can never work is dead; an answer that never came is uncertain, since a second try could say it twice.
 */
export function verdictOn(error: AntlerError, attempt: number): Exclude<SendOutcome, { kind: 'sent' }> {
  const text = `${error.code}: ${error.message}`;
  const wait = (delayMs: number): SendOutcome & { kind: 'retry' | 'dead' } =>
    attempt + 1 >= MAX_ATTEMPTS ? { kind: 'dead', error: text } : { kind: 'retry', delayMs, error: text };
  switch (error.code) {
    case 'uncertain':
      return { kind: 'uncertain', error: text };
    case 'rate_limited':
    case 'unavailable':
    case 'timeout':
    case 'conflict':
      return wait(error.retryAfterMs ?? backoff(attempt));
    case 'unauthorized':
      return wait(UNAUTHORIZED_DELAY_MS);
    default:
      return error.retryable || (error.code === 'internal' && attempt + 1 < MAX_FAULTS)
        ? wait(error.retryAfterMs ?? backoff(attempt))
        : { kind: 'dead', error: text };
  }
}

const backoff = (attempt: number): number => Math.min(MOST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 20));
