import type { ImUserKey, ScheduleId } from '../base/ids.ts';
import type { Language } from '../base/sentences.ts';
import type { InboundMessage } from '../channel/message.ts';

/** When a schedule is due. */
export type When =
  | { readonly kind: 'once'; readonly at: number }
  /** A cron expression of five fields, in an IANA time zone: days keep their hours when the clocks change. */
  | { readonly kind: 'cron'; readonly cron: string; readonly timeZone: string };

/** `done`: nothing is due any more. `disabled`: it could not be carried out, see `why`. */
export type ScheduleState = 'active' | 'paused' | 'done' | 'disabled';

/** Something that somebody wants to be done later, or again and again. Moments are milliseconds since the epoch. */
export interface Schedule {
  readonly id: ScheduleId;
  /** The channel's name. */
  readonly channel: string;
  readonly chat: string;
  readonly owner: ImUserKey;
  /** What the owner says at that time: where, in which topic; its text is what is to be done. */
  readonly message: InboundMessage;
  readonly language: Language;
  readonly when: When;
  readonly state: ScheduleState;
  readonly why: string | null;
  /** Null: never again. */
  readonly nextAt: number | null;
  readonly lastAt: number | null;
  readonly createdAt: number;
}

/** Schedules in the database. */
export interface ScheduleRecords {
  /** False: there is one of this id already. */
  add(schedule: Schedule): Promise<boolean>;
  get(id: ScheduleId): Promise<Schedule | null>;
  /** Of one owner, or of one chat; soonest first, those that are over left out. */
  list(
    of: { readonly owner?: ImUserKey; readonly channel?: string; readonly chat?: string },
    limit: number,
  ): Promise<Schedule[]>;
  /** Those that are due, soonest first. */
  due(now: number, limit: number): Promise<Schedule[]>;
  /**
   * Takes a firing: sets when it is due next, unless another process, or a change, was faster. Exactly one of many that
   * try at once gets true.
   */
  fired(schedule: Pick<Schedule, 'id' | 'nextAt'>, next: number | null, at: number): Promise<boolean>;
  /** Null: there is no such schedule (any more). */
  change(
    id: ScheduleId,
    set: Partial<Pick<Schedule, 'state' | 'why' | 'nextAt' | 'when' | 'message'>>,
  ): Promise<Schedule | null>;
  remove(id: ScheduleId): Promise<boolean>;
}
