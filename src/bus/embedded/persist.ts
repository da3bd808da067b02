import type { Clock } from '../../base/clock.ts';
import { asAntlerError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Journal } from './journal.ts';

/** How long after a failed write it is tried again. */
const AGAIN_MS = 1_000;

/** Writes that nobody else would repeat. */
export interface Persistence {
  /**
   * Like {@link Journal.write}, for what must not be given up because the disk is full for a while: tries until it
   * has worked, or the bus is closed (then the next start repairs what is open). Steps are safe to repeat.
   */
  persist<Result>(step: () => Result): Promise<Result>;
  /** Gives up what is waiting for another try. */
  stop(): void;
}

export function createPersistence(journal: Journal, clock: Clock, log: Logger): Persistence {
  const stopping = new AbortController();
  return {
    persist: async <Result>(step: () => Result): Promise<Result> => {
      for (;;) {
        try {
          return await journal.write(step);
        } catch (error) {
          if (!asAntlerError(error).retryable || stopping.signal.aborted) throw error;
          log.error({ err: error }, 'the bus could not write; trying again');
          await clock.sleep(AGAIN_MS, stopping.signal);
        }
      }
    },
    stop: () => stopping.abort(),
  };
}
