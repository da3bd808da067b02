import type { Overheard, OverheardMessage } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

const columns = ['channel', 'chat', 'id', 'place', 'name', 'text', 'at', 'kept_at as keptAt'] as const;

export function overheard(db: Database): Overheard {
  return {
    async keep({ channel, chat, id, place, name, text, at, keptAt }, most) {
      await db
        .insertInto('overheard')
        .values({
          ...{ channel, chat: storable(chat), id: storable(id), place, at, kept_at: keptAt },
          ...{ name: storable(name), text: storable(text) },
        })
        .onConflict((conflict) => conflict.columns(['channel', 'chat', 'id']).doNothing())
        .execute();
      const newest = db
        .selectFrom('overheard')
        .select('id')
        .where('place', '=', place)
        .orderBy('kept_at', 'desc')
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(most);
      await db.deleteFrom('overheard').where('place', '=', place).where('id', 'not in', newest).execute();
    },

    async edit(channel, chat, id, text) {
      await db
        .updateTable('overheard')
        .set({ text: storable(text) })
        .where('channel', '=', channel)
        .where('chat', '=', chat)
        .where('id', '=', id)
        .execute();
    },

    async remove(channel, chat, ids) {
      if (ids.length === 0) return;
      await db
        .deleteFrom('overheard')
        .where('channel', '=', channel)
        .where('chat', '=', chat)
        .where('id', 'in', ids)
        .execute();
    },

    async find(channel, chat, id) {
      const row = await db
        .selectFrom('overheard')
        .select(columns)
        .where('channel', '=', channel)
        .where('chat', '=', storable(chat))
        .where('id', '=', storable(id))
        .executeTakeFirst();
      return row === undefined ? null : { ...row };
    },

    async list(place, since) {
      const rows = await db
        .selectFrom('overheard')
        .select(columns)
        .where('place', '=', place)
        .where('kept_at', '>', since)
        .orderBy('at')
        .orderBy('kept_at')
        .orderBy('id')
        .execute();
      return rows.map((row): OverheardMessage => ({ ...row }));
    },

    async deleteBefore(moment) {
      const deleted = await db.deleteFrom('overheard').where('kept_at', '<', moment).executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}
