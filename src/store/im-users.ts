import { BoundedMap } from '../base/bounded-map.ts';
import type { ImUserKey } from '../base/ids.ts';
import type { ImUser, ImUsers } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

/** A user seen again within this time, unchanged, is not written again: `lastSeenAt` is late by so much at most. */
const freshMs = 60_000;
const remembered = 5_000;

const columns = [
  'key',
  'name',
  'is_bot',
  'language',
  'first_seen_at as firstSeenAt',
  'last_seen_at as lastSeenAt',
] as const;

/** Everybody who ever spoke to the bot. */
export function imUsers(db: Database): ImUsers {
  const recent = new BoundedMap<ImUserKey, ImUser>(remembered);

  return {
    async see(seen, at) {
      const name = storable(seen.name);
      const language = seen.language === null ? null : storable(seen.language);
      const known = recent.get(seen.key);
      if (
        known !== undefined &&
        at - known.lastSeenAt < freshMs &&
        known.name === (name || known.name) &&
        known.isBot === seen.isBot &&
        known.language === (language ?? known.language)
      )
        return known;

      const row = await db
        .insertInto('im_users')
        .values({
          key: seen.key,
          name,
          is_bot: seen.isBot ? 1 : 0,
          language,
          first_seen_at: at,
          last_seen_at: at,
        })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((eb) => ({
            // Some events of a platform carry neither name nor language: what is known stays.
            name: eb
              .case()
              .when('excluded.name', '=', '')
              .then(eb.ref('im_users.name'))
              .else(eb.ref('excluded.name'))
              .end(),
            language: eb.fn.coalesce('excluded.language', 'im_users.language'),
            is_bot: eb.ref('excluded.is_bot'),
            // Messages may be seen out of order.
            last_seen_at: eb
              .case()
              .when('excluded.last_seen_at', '>', eb.ref('im_users.last_seen_at'))
              .then(eb.ref('excluded.last_seen_at'))
              .else(eb.ref('im_users.last_seen_at'))
              .end(),
          })),
        )
        .returning(columns)
        .executeTakeFirstOrThrow();
      const user = imUser(row);
      recent.set(user.key, user);
      return user;
    },

    async get(key) {
      const row = await db.selectFrom('im_users').select(columns).where('key', '=', key).executeTakeFirst();
      return row === undefined ? null : imUser(row);
    },
  };
}

function imUser(row: Omit<ImUser, 'isBot'> & { readonly is_bot: number }): ImUser {
  const { is_bot, ...rest } = row;
  return { ...rest, isBot: is_bot !== 0 };
}
