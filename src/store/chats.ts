import { BoundedMap } from '../base/bounded-map.ts';
import type { ChatRecord, Chats } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

/** A chat heard of again within this time, unchanged, is not written again. */
const freshMs = 3_600_000;
const remembered = 5_000;

const columns = [
  'channel',
  'chat',
  'kind',
  'title',
  'im_user as imUser',
  'first_seen_at as firstSeenAt',
  'last_seen_at as lastSeenAt',
] as const;

/** Every chat in which the bot was spoken to. */
export function chats(db: Database): Chats {
  const recent = new BoundedMap<string, { readonly title: string | null; readonly at: number }>(remembered);

  return {
    async see({ channel, chat, kind, title, imUser }, at) {
      const key = JSON.stringify([channel, chat]);
      const known = recent.get(key);
      if (known !== undefined && known.title === title && at - known.at < freshMs) return;
      await db
        .insertInto('chats')
        .values({
          channel,
          chat: storable(chat),
          kind,
          title: title === null ? null : storable(title),
          im_user: imUser,
          first_seen_at: at,
          last_seen_at: at,
        })
        .onConflict((conflict) =>
          conflict.columns(['channel', 'chat']).doUpdateSet((eb) => ({
            kind: eb.ref('excluded.kind'),
            title: eb.fn.coalesce('excluded.title', 'chats.title'),
            im_user: eb.ref('excluded.im_user'),
            last_seen_at: eb.ref('excluded.last_seen_at'),
          })),
        )
        .execute();
      recent.set(key, { title, at });
    },

    async list(channel, since, limit) {
      const rows = await db
        .selectFrom('chats')
        .select(columns)
        .where('channel', '=', channel)
        .where('last_seen_at', '>', since)
        .orderBy('last_seen_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row): ChatRecord => ({ ...row }));
    },

    async of(user) {
      const rows = await db
        .selectFrom('chats')
        .select(columns)
        .where('im_user', '=', user)
        .orderBy('last_seen_at', 'desc')
        .execute();
      return rows.map((row): ChatRecord => ({ ...row }));
    },
  };
}
