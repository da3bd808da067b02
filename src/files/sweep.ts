import type { Clock } from '../base/clock.ts';
import { startDaily } from '../base/daily.ts';
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

/** Deletes old files once a day, in whichever gateway comes first. */
export const startSweep = ({ claims, files, keepDays, log, clock }: SweepOptions): { stop(): Promise<void> } =>
  startDaily({
    name: 'files/sweep',
    work: async () => {
      const deleted = await files.deleteBefore(clock.now() - keepDays * DAY_MS);
      if (deleted > 0) log.info({ deleted, keepDays }, 'old files deleted');
    },
    claims,
    log,
    clock,
  });
