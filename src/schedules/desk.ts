import type { Clock } from '../base/clock.ts';
import { type ImUserKey, newScheduleId, type ScheduleId } from '../base/ids.ts';
import { isAtLeast, type Role } from '../base/roles.ts';
import type { Language } from '../base/sentences.ts';
import { type InboundMessage, senderKey } from '../channel/message.ts';
import type { Schedule, ScheduleRecords, When } from './port.ts';
import { nextAfter } from './when.ts';

export interface ScheduleDeskOptions {
  readonly records: ScheduleRecords;
  /** Schedules that one person may have at once. */
  readonly perPerson: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** Who asks, and where. */
export interface ScheduleAsker {
  readonly key: ImUserKey;
  readonly role: Role;
  readonly channel: string;
  readonly chat: string;
}

export interface NewSchedule {
  /** In which something is asked for; its text is left. */
  readonly message: InboundMessage;
  /** What is to be done at that time. */
  readonly what: string;
  readonly when: When;
  readonly language: Language;
  /** The same when it is asked for again. Absent: asked for once. */
  readonly id?: ScheduleId;
}

export type Scheduled = { readonly schedule: Schedule } | { readonly refused: 'perPerson' | 'over' };

export type ScheduleChange = 'pause' | 'resume' | 'remove';

/** What people do with their schedules. Those of a chat are numbered, soonest first. */
export interface ScheduleDesk {
  add(wanted: NewSchedule): Promise<Scheduled>;
  /** In a private chat one's own, wherever they are; in a group those of the group. */
  list(asker: ScheduleAsker, kind: InboundMessage['chat']['kind']): Promise<readonly Schedule[]>;
  /** Null: there is none of this number; `not_yours`: somebody else's, and the asker is no operator. */
  change(
    asker: ScheduleAsker,
    kind: InboundMessage['chat']['kind'],
    number: number,
    change: ScheduleChange,
  ): Promise<Schedule | 'not_yours' | null>;
}

const LISTED = 50;

export function createScheduleDesk({ records, perPerson, clock }: ScheduleDeskOptions): ScheduleDesk {
  const list: ScheduleDesk['list'] = ({ key, channel, chat }, kind) =>
    records.list(kind === 'dm' ? { owner: key } : { channel, chat }, LISTED);

  return {
    list,

    async add({ message, what, when, language, id = newScheduleId() }) {
      const owner = senderKey(message);
      const known = await records.get(id);
      if (known !== null) return { schedule: known };
      const nextAt = nextAfter(when, clock.now());
      if (nextAt === null) return { refused: 'over' };
      if ((await records.list({ owner }, perPerson)).length >= perPerson) return { refused: 'perPerson' };
      const { quote: _, forwardedFrom: __, migratedTo: ___, ...said } = message;
      const schedule: Schedule = {
        ...{ id, channel: message.channel, chat: message.chat.id, owner, language, when, nextAt },
        message: { ...said, kind: 'message', text: what, files: [], mentions: [] },
        ...{ state: 'active', why: null, lastAt: null, createdAt: clock.now() },
      };
      await records.add(schedule);
      return { schedule };
    },

    async change(asker, kind, number, change) {
      const schedule = (await list(asker, kind))[number - 1];
      if (schedule === undefined) return null;
      if (schedule.owner !== asker.key && !isAtLeast(asker.role, 'operator')) return 'not_yours';
      switch (change) {
        case 'pause':
          return records.change(schedule.id, { state: 'paused' });
        case 'resume':
          return records.change(schedule.id, {
            ...{ state: 'active', why: null },
            nextAt: nextAfter(schedule.when, clock.now()),
          });
        case 'remove':
          return (await records.remove(schedule.id)) ? schedule : null;
      }
    },
  };
}
