import type { Clock } from '../base/clock.ts';
import type { Store } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

/** What channels remember across restarts: cursors, tokens of a sync. */
export function channelState(db: Database, clock: Clock): Store['channelState'] {
  return {
    async get(channel, key) {
      const row = await db
        .selectFrom('channel_state')
        .select('value')
        .where('channel', '=', channel)
        .where('key', '=', key)
        .executeTakeFirst();
      return row?.value ?? null;
    },

    async set(channel, key, value) {
      await db
        .insertInto('channel_state')
        .values({ channel, key, value: storable(value), updated_at: clock.now() })
        .onConflict((conflict) =>
          conflict.columns(['channel', 'key']).doUpdateSet((eb) => ({
            value: eb.ref('excluded.value'),
            updated_at: eb.ref('excluded.updated_at'),
          })),
        )
        .execute();
    },
  };
}
