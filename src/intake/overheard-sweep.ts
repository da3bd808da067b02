import type { Clock } from '../base/clock.ts';
import { startDaily } from '../base/daily.ts';
import type { Logger } from '../base/logger.ts';
import type { MessageBus } from '../bus/port.ts';
import { OVERHEARD_FOR_MS } from '../channel/book.ts';
import type { Store } from '../store/port.ts';

interface SweepOptions {
  readonly claims: MessageBus['claims'];
  readonly overheard: Store['overheard'];
  readonly log: Logger;
  readonly clock: Clock;
}

/** Deletes what was read along and nobody has asked about since, every hour, in whichever gateway comes first. */
export const startOverheardSweep = ({ claims, overheard, log, clock }: SweepOptions): { stop(): Promise<void> } =>
  startDaily({
    name: 'overheard/sweep',
    timesADay: 24,
    work: async () => {
      const deleted = await overheard.deleteBefore(clock.now() - OVERHEARD_FOR_MS);
      if (deleted > 0) log.debug({ deleted }, 'messages that were read along are deleted for their age');
    },
    claims,
    log,
    clock,
  });
