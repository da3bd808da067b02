import type { Choices } from './port.ts';
import type { Database } from './schema.ts';

const NONE = { assistant: null, model: null };

/** What people chose for places. */
export function choices(db: Database): Choices {
  return {
    async get(place) {
      const row = await db
        .selectFrom('place_choices')
        .select(['assistant', 'model'])
        .where('place', '=', place)
        .executeTakeFirst();
      return { ...NONE, ...row };
    },

    async set(place, choice, by, at) {
      const stamp = { chosen_by: by, chosen_at: at };
      await db
        .insertInto('place_choices')
        .values({ place, ...NONE, ...choice, ...stamp })
        .onConflict((conflict) => conflict.column('place').doUpdateSet({ ...choice, ...stamp }))
        .execute();
    },
  };
}
