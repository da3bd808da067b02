import type { Selectable } from 'kysely';
import type { ImUserKey } from '../base/ids.ts';
import type { LinkRequest, Links, Whereabouts } from './port.ts';
import type { Database, Tables } from './schema.ts';

/** Requests to link two IM users. */
export function links(db: Database): Links {
  return {
    async ask({ code, asker, askedAt }) {
      await db.deleteFrom('link_requests').where('asked_by', '=', asker.key).execute();
      const made = await db
        .insertInto('link_requests')
        .values({ code, asked_by: asker.key, asked_in: placeOf(asker), asked_at: askedAt })
        .onConflict((conflict) => conflict.column('code').doNothing())
        .returning('code')
        .execute();
      return made.length > 0;
    },

    async get(code, since) {
      const row = await db
        .selectFrom('link_requests')
        .selectAll()
        .where('code', '=', code)
        .where('asked_at', '>', since)
        .executeTakeFirst();
      return row === undefined ? null : requestOf(row);
    },

    async claim(code, claimer, since) {
      const row = await db
        .updateTable('link_requests')
        .set({ claimed_by: claimer.key, claimed_in: placeOf(claimer) })
        .where('code', '=', code)
        .where('asked_at', '>', since)
        .where('asked_by', '<>', claimer.key)
        .where((eb) => eb.or([eb('claimed_by', 'is', null), eb('claimed_by', '=', claimer.key)]))
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : requestOf(row);
    },

    async agree(code, claimer, since) {
      const row = await db
        .updateTable('link_requests')
        .set({ claimer_agrees: 1 })
        .where('code', '=', code)
        .where('claimed_by', '=', claimer)
        .where('asked_at', '>', since)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : requestOf(row);
    },

    async take(code) {
      const row = await db.deleteFrom('link_requests').where('code', '=', code).returningAll().executeTakeFirst();
      return row === undefined ? null : requestOf(row);
    },
  };
}

const placeOf = ({ channel, chat }: Whereabouts): string => JSON.stringify([channel, chat]);

function whereabouts(key: ImUserKey, place: string): Whereabouts {
  const [channel = '', chat = ''] = JSON.parse(place) as string[];
  return { key, channel, chat };
}

const requestOf = (row: Selectable<Tables['link_requests']>): LinkRequest => ({
  code: row.code,
  asker: whereabouts(row.asked_by, row.asked_in),
  claimer: row.claimed_by === null ? null : whereabouts(row.claimed_by, row.claimed_in ?? '[]'),
  claimerAgrees: row.claimer_agrees !== 0,
  askedAt: row.asked_at,
});
