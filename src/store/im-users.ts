import { BoundedMap } from '../base/bounded-map.ts';
import { AntlerError } from '../base/errors.ts';
import { type ImUserKey, newPersonId } from '../base/ids.ts';
import type { ImUser, ImUsers } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

/** A user seen again within this time, unchanged, is not written again: `lastSeenAt` is late by so much at most. */
const freshMs = 60_000;
const remembered = 5_000;

const columns = [
  'im_users.key',
  'name',
  'is_bot',
  'language',
  'chosen_language as chosenLanguage',
  'first_seen_at as firstSeenAt',
  'last_seen_at as lastSeenAt',
  'im_users.person',
  'role',
] as const;

/** IM users with the role of their person. */
export const peopleIn = (db: Database) =>
  db.selectFrom('im_users').leftJoin('person_roles', 'person_roles.person', 'im_users.person').select(columns);

/** Everybody who ever spoke to the bot. */
export function imUsers(db: Database): ImUsers {
  /** What was written not long ago. */
  const recent = new BoundedMap<ImUserKey, Pick<ImUser, 'name' | 'isBot' | 'language'> & { readonly at: number }>(
    remembered,
  );

  async function get(key: ImUserKey): Promise<ImUser | null> {
    const row = await peopleIn(db).where('im_users.key', '=', key).executeTakeFirst();
    return row === undefined ? null : imUserOf(row);
  }

  return {
    get,

    async see(seen, at) {
      const name = storable(seen.name);
      const language = seen.language === null ? null : storable(seen.language);
      const known = recent.get(seen.key);
      if (
        known !== undefined &&
        at - known.at < freshMs &&
        known.name === (name || known.name) &&
        known.isBot === seen.isBot &&
        known.language === (language ?? known.language)
      ) {
        const user = await get(seen.key);
        if (user !== null) return user;
      }

      await db
        .insertInto('im_users')
        .values({
          key: seen.key,
          name,
          is_bot: seen.isBot ? 1 : 0,
          language,
          first_seen_at: at,
          last_seen_at: at,
          // Counts for a first contact only.
          person: newPersonId(),
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
        .execute();
      const user = await get(seen.key);
      if (user === null) throw new AntlerError('internal', 'The IM user is gone right after they were written down.');
      recent.set(user.key, { name: user.name, isBot: user.isBot, language: user.language, at });
      return user;
    },

    async called(channelType, user) {
      const [before, behind] = [`${encodeURIComponent(channelType)}/`, `/${encodeURIComponent(user.toWellFormed())}`];
      // A pattern in which any character may stand for a percent sign finds too much at the most.
      const rows = await peopleIn(db)
        .where((eb) => eb(eb.fn('substr', ['im_users.key', eb.lit(1), eb.lit(before.length)]), '=', before))
        .where((eb) => eb(eb.cast<string>('im_users.key', 'text'), 'like', `%${behind.replaceAll('%', '_')}`))
        .execute();
      return rows.map(imUserOf).filter(({ key }) => key.endsWith(behind));
    },

    async chooseLanguage(key, language) {
      await db.updateTable('im_users').set({ chosen_language: language }).where('key', '=', key).execute();
    },

    async list({ limit, before }) {
      const rows = await peopleIn(db)
        .$call((query) =>
          before === undefined
            ? query
            : query.where((eb) =>
                eb(eb.refTuple('last_seen_at', 'im_users.key'), '<', eb.tuple(before.lastSeenAt, before.key)),
              ),
        )
        .orderBy('last_seen_at', 'desc')
        .orderBy('im_users.key', 'desc')
        .limit(limit)
        .execute();
      return rows.map(imUserOf);
    },
  };
}

type Row = Omit<ImUser, 'isBot'> & { readonly is_bot: number };

export function imUserOf({ is_bot, ...rest }: Row): ImUser {
  return { ...rest, isBot: is_bot !== 0 };
}
