import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { MessageBus } from '../bus/port.ts';
import type { Store } from '../store/port.ts';

export interface SweepOptions {
  readonly claims: MessageBus['claims'];
  readonly files: Store['files'];
  /** Files that are older are deleted. */
  readonly keepDays: number;
  readonly log: Logger;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 3_600_000;
/** Longer than deleting a day's files takes; the claim of a gateway that died in it is free again after this. */
const HOLD_MS = 600_000;

/** Deletes old files once a day, in whichever gateway comes first. */
export function startSweep({ claims, files, keepDays, log, clock }: SweepOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();

  async function sweep(): Promise<void> {
    const key = `files/sweep/${Math.floor(clock.now() / DAY_MS)}`;
    if ((await claims.claim(key, HOLD_MS)) !== 'yours') return;
    try {
      const deleted = await files.deleteBefore(clock.now() - keepDays * DAY_MS);
      if (deleted > 0) log.info({ deleted, keepDays }, 'old files deleted');
      await claims.complete(key);
    } catch (error) {
      await claims.release(key).catch(() => {}); // it frees itself after HOLD_MS
      throw error;
    }
  }

  async function keepSweeping(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sweep().catch((error: unknown) => {
        log.warn({ problem: asAntlerError(error).message }, 'old files were not deleted; another try follows');
      });
      await clock.sleep(LOOK_EVERY_MS, stopping.signal).catch(() => {}); // woken by stop()
    }
  }

  const sweeping = keepSweeping();
  return {
    stop: async () => {
      stopping.abort();
      await sweeping;
    },
  };
}
