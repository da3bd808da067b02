import type { Clock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { newThreadId, type ThreadId, type ThreadKey } from '../base/ids.ts';
import { untilUncontended } from './conflict.ts';
import type { Thread, Threads } from './port.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

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

  /** Null: no such thread of this place. Undefined: another thread took the number. */
  async function resumed(key: ThreadKey, id: ThreadId, generation: number): Promise<Thread | null | undefined> {
    try {
      const row = await db
        .updateTable('threads')
        .set({ generation })
        .where('id', '=', id)
        .where('key', '=', key)
        .returning(columns)
        .executeTakeFirst();
      return row === undefined ? null : { ...row };
    } catch (error) {
      if (error instanceof AntlerError && error.code === 'conflict') return undefined;
      throw error;
    }
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

    async leave(key, id) {
      await db
        .insertInto('threads')
        .columns(['id', 'key', 'generation', 'created_at'])
        .expression((eb) =>
          eb
            .selectFrom('threads as left')
            .select((sub) => [
              sub.val(newThreadId()).$castTo<ThreadId>().as('id'),
              'left.key',
              sub('left.generation', '+', sub.lit(1)).as('generation'),
              sub.val(clock.now()).$castTo<number>().as('created_at'),
            ])
            .where('left.id', '=', id)
            .where('left.key', '=', key),
        )
        // The number is taken when another is current already.
        .onConflict((conflict) => conflict.columns(['key', 'generation']).doNothing())
        .execute();
      const thread = await find(key);
      if (thread === null) throw new AntlerError('not_found', 'The place has no thread that could be left.');
      return thread;
    },

    async list(key, limit) {
      const rows = await db
        .selectFrom('threads')
        .select(columns)
        .select('title')
        .select((eb) =>
          eb.fn
            .coalesce(
              eb
                .selectFrom('runs')
                .select((run) => run.fn.max('started_at').as('at'))
                .whereRef('runs.thread', '=', 'threads.id'),
              'created_at',
            )
            .as('lastAt'),
        )
        .where('key', '=', key)
        .orderBy('generation', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...row, lastAt: Number(row.lastAt) }));
    },

    async resume(key, id) {
      return untilUncontended(async () => {
        // Its new number is read before it is written, and unique: who is overtaken by another change tries again.
        const newest = await db
          .selectFrom('threads')
          .select(['id', 'generation'])
          .where('key', '=', key)
          .orderBy('generation', 'desc')
          .limit(1)
          .executeTakeFirst();
        if (newest === undefined) return null;
        if (newest.id === id) return find(key);
        return resumed(key, id, newest.generation + 1);
      });
    },

    async rename(id, title) {
      await db
        .updateTable('threads')
        .set({ title: storable(title) })
        .where('id', '=', id)
        .execute();
    },

    async lastRunAt(id) {
      const row = await db
        .selectFrom('runs')
        .select((eb) => eb.fn.max('started_at').as('at'))
        .where('thread', '=', id)
        .executeTakeFirst();
      return row === undefined || row.at === null ? null : Number(row.at);
    },

    async get(id) {
      const row = await db.selectFrom('threads').select(columns).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : { ...row };
    },
  };
}
