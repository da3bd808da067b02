import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { newThreadId, type ThreadKey } from '../base/ids.ts';
import { untilUncontended } from './conflict.ts';
import type { Thread, Threads } from './port.ts';
import type { Database } from './schema.ts';

const columns = ['id', 'key', 'created_at as createdAt'] as const;

/** Threads by place. The place's newest generation is current, so that one insert makes a thread current, or loses. */
export function threads(db: Database, clock: Clock): Threads {
  async function find(key: ThreadKey): Promise<Thread | null> {
    const row = await db
      .selectFrom('threads')
      .select(columns)
      .where('key', '=', key)
      .orderBy('generation', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? null : { ...row };
  }

  return {
    find,

    async open(key) {
      const found = await find(key);
      if (found !== null) return found;
      const ours = await db
        .insertInto('threads')
        .values({ id: newThreadId(), key, generation: 1, created_at: clock.now() })
        .onConflict((conflict) => conflict.columns(['key', 'generation']).doNothing())
        .returning(columns)
        .executeTakeFirst();
      // Somebody else came first otherwise.
      const made = ours === undefined ? await find(key) : { ...ours };
      if (made === null) throw new AntlerError('internal', 'The thread is gone right after it was made.');
      return made;
    },

    async renew(key) {
      return untilUncontended(async () => {
        const row = await db
          .insertInto('threads')
          .values((eb) => ({
            id: newThreadId(),
            key,
            generation: eb
              .selectFrom('threads as former')
              .select((sub) =>
                sub(sub.fn.coalesce(sub.fn.max('former.generation'), sub.lit(0)), '+', sub.lit(1)).as('next'),
              )
              .where('former.key', '=', key),
            created_at: clock.now(),
          }))
          .onConflict((conflict) => conflict.columns(['key', 'generation']).doNothing())
          .returning(columns)
          .executeTakeFirst();
        return row === undefined ? undefined : { ...row };
      });
    },

    async get(id) {
      const row = await db.selectFrom('threads').select(columns).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : { ...row };
    },
  };
}
