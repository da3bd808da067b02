import type { Selectable } from 'kysely';
import type { InboundMessage } from '../channel/message.ts';
import type { Schedule, ScheduleRecords, When } from '../schedules/port.ts';
import type { Database, ScheduleTable } from './schema.ts';
import { storable } from './text.ts';

/** Schedules. A firing is taken by one conditional update, so that of many processes one carries it out. */
export function schedules(db: Database): ScheduleRecords {
  return {
    async add(schedule) {
      const added = await db
        .insertInto('schedules')
        .values({
          id: schedule.id,
          channel: schedule.channel,
          chat: storable(schedule.chat),
          owner: schedule.owner,
          message: JSON.stringify(schedule.message),
          language: schedule.language,
          due: JSON.stringify(schedule.when),
          state: schedule.state,
          why: schedule.why,
          next_at: schedule.nextAt,
          last_at: schedule.lastAt,
          created_at: schedule.createdAt,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .execute();
      return added.length > 0;
    },

    async get(id) {
      const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : scheduleOf(row);
    },

    async list({ owner, channel, chat }, limit) {
      const rows = await db
        .selectFrom('schedules')
        .selectAll()
        .where('state', '<>', 'done')
        .$call((query) => (owner === undefined ? query : query.where('owner', '=', owner)))
        .$call((query) => (channel === undefined ? query : query.where('channel', '=', channel)))
        .$call((query) => (chat === undefined ? query : query.where('chat', '=', storable(chat))))
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(scheduleOf).toSorted((one, other) => (one.nextAt ?? Infinity) - (other.nextAt ?? Infinity));
    },

    async due(now, limit) {
      const rows = await db
        .selectFrom('schedules')
        .selectAll()
        .where('state', '=', 'active')
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(scheduleOf);
    },

    async fired({ id, nextAt }, next, at) {
      const taken = await db
        .updateTable('schedules')
        .set({ next_at: next, last_at: at, ...(next === null ? { state: 'done' as const } : {}) })
        .where('id', '=', id)
        .where('state', '=', 'active')
        .where('next_at', '=', nextAt)
        .returning('id')
        .execute();
      return taken.length > 0;
    },

    async change(id, { state, why, nextAt, when, message }) {
      const row = await db
        .updateTable('schedules')
        .set({
          ...(state === undefined ? {} : { state }),
          ...(why === undefined ? {} : { why }),
          ...(nextAt === undefined ? {} : { next_at: nextAt }),
          ...(when === undefined ? {} : { due: JSON.stringify(when) }),
          ...(message === undefined ? {} : { message: JSON.stringify(message) }),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : scheduleOf(row);
    },

    async remove(id) {
      return (await db.deleteFrom('schedules').where('id', '=', id).returning('id').execute()).length > 0;
    },
  };
}

const scheduleOf = (row: Selectable<ScheduleTable>): Schedule => ({
  id: row.id,
  channel: row.channel,
  chat: row.chat,
  owner: row.owner,
  message: JSON.parse(row.message) as InboundMessage,
  language: row.language,
  when: JSON.parse(row.due) as When,
  state: row.state,
  why: row.why,
  nextAt: row.next_at,
  lastAt: row.last_at,
  createdAt: row.created_at,
});
