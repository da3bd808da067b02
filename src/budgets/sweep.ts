import type { Clock } from '../base/clock.ts';
import { startDaily } from '../base/daily.ts';
import type { Logger } from '../base/logger.ts';
import type { MessageBus } from '../bus/port.ts';
import type { Store } from '../store/port.ts';

export interface SweepOptions {
  readonly claims: MessageBus['claims'];
  readonly usage: Pick<Store['usage'], 'deleteBefore'>;
  /** Days that are older are deleted. */
  readonly keepDays: number;
  readonly log: Logger;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
/** Hours that are over, what was told in them, and which runs are counted already; a run takes a day at most. */
const KEEP_REST_DAYS = 3;

/** Deletes what was used long ago, once a day, in whichever gateway comes first. */
export const startUsageSweep = ({ claims, usage, keepDays, log, clock }: SweepOptions): { stop(): Promise<void> } =>
  startDaily({
    name: 'usage/sweep',
    work: async () => {
      const now = clock.now();
      const moments = { days: now - keepDays * DAY_MS, rest: now - KEEP_REST_DAYS * DAY_MS };
      const deleted = await usage.deleteBefore(moments);
      if (deleted > 0) log.info({ deleted, keepDays }, 'old counts of use deleted');
    },
    claims,
    log,
    clock,
  });
