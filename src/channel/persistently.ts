import type { Clock } from '../base/clock.ts';
import { type AntlerError, asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { backoffMs } from './backoff.ts';

export interface PersistentOptions {
  /** Tells in logs what is offered: ids and kinds, never content. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Is what failed so often (1: once), this time with this error, not offered again? */
  readonly givesUp: (error: AntlerError, attempt: number) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Offers something to intake until it is taken, for platforms that deliver it again a few times only, or never.
 * @returns what taking it yields; undefined when it was given up, and when `signal` aborts.
 */
export async function persistently<Taken>(
  offer: (attempt: number) => Promise<Taken>,
  { about, givesUp, clock, log, signal }: PersistentOptions,
): Promise<Taken | undefined> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await offer(attempt);
    } catch (thrown) {
      const error = asAntlerError(thrown);
      const fields = { ...about, attempt, code: error.code, problem: error.message };
      if (givesUp(error, attempt)) {
        log.error(fields, 'gave up what intake does not take');
        return undefined;
      }
      log.warn(fields, 'intake did not take something; it is offered again');
      await clock.sleep(backoffMs(attempt), signal).catch(() => {}); // stopped
    }
  }
  return undefined;
}
