import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import type { Settings } from './port.ts';
import type { Database } from './schema.ts';

/** Values by name; `get` answers undefined for a name that is not set. */
export function settings(db: Database, clock: Clock): Settings {
  return {
    async get(key) {
      const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
      return row === undefined ? undefined : (JSON.parse(row.value) as unknown);
    },

    async set(key, value) {
      const json: string | undefined = JSON.stringify(value);
      if (json === undefined) throw new AntlerError('bad_input', `The value of setting ${key} has no JSON form.`);
      await db
        .insertInto('settings')
        .values({ key, value: json, updated_at: clock.now() })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((eb) => ({
            value: eb.ref('excluded.value'),
            updated_at: eb.ref('excluded.updated_at'),
          })),
        )
        .execute();
    },

    async delete(key) {
      await db.deleteFrom('settings').where('key', '=', key).execute();
    },
  };
}
