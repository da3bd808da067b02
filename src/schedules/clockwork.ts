import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { Schedule, ScheduleRecords } from './port.ts';
import { nextAfter } from './when.ts';

export interface ClockworkOptions {
  readonly records: ScheduleRecords;
  /** Takes a message in as if its sender had sent it: who may speak, who answers and what it may cost is decided then. */
  readonly accept: (message: InboundMessage) => Promise<void>;
  /** How late a firing may be that is still carried out; what was missed for longer waits for its next time. */
  readonly missedMs: number;
  readonly log: Logger;
  readonly clock: Clock;
}

const LOOK_EVERY_MS = 1_000;
const AT_ONCE = 50;

/**
 * Carries out what is due, in every gateway at once. A firing is first taken in under an id of its own, which the bus
 * takes once, and then crossed off: who dies in between has it done again by another, and nobody hears it twice.
 */
export function startClockwork(options: ClockworkOptions): { stop(): Promise<void> } {
  const { records, clock, log } = options;
  const stopping = new AbortController();

  async function fire(schedule: Schedule): Promise<void> {
    const dueAt = schedule.nextAt ?? clock.now();
    const isMissed = clock.now() - dueAt > options.missedMs && schedule.when.kind === 'cron';
    if (!isMissed) await options.accept(messageAt(schedule, dueAt));
    // What was due several times meanwhile is done once.
    await records.fired(schedule, nextAfter(schedule.when, clock.now()), clock.now());
  }

  async function look(): Promise<void> {
    for (const schedule of await records.due(clock.now(), AT_ONCE)) {
      if (stopping.signal.aborted) return;
      try {
        await fire(schedule);
      } catch (thrown) {
        const error = asAntlerError(thrown);
        log.warn({ schedule: schedule.id, code: error.code, problem: error.message }, 'a schedule was not carried out');
        // Its channel or its assistant is not there any more: nothing would become of it later either.
        if (error.code === 'not_found') await records.change(schedule.id, { state: 'disabled', why: error.message });
      }
    }
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => {
        log.warn({ problem: asAntlerError(error).message }, 'what is scheduled could not be looked up');
      });
      await clock.sleep(LOOK_EVERY_MS, stopping.signal).catch(() => {}); // woken by stop()
    }
  }

  const looking = keepLooking();
  return {
    stop: async () => {
      stopping.abort();
      await looking;
    },
  };
}

/** What its owner says at that moment. */
const messageAt = ({ id, message }: Schedule, dueAt: number): InboundMessage => ({
  ...message,
  id: `schedule/${id}/${dueAt}`,
  sentAt: dueAt,
  addressed: message.chat.kind === 'dm' ? 'dm' : 'mention',
  scheduled: true,
});
