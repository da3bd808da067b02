import { sql, type Transaction } from 'kysely';
import { AntlerError } from '../base/errors.ts';
import { chatSubject, type MemorySubject, parseThreadKey, type ThreadKey, threadKey } from '../base/ids.ts';
import { untilUncontended } from './conflict.ts';
import { adopt } from './memory/owners.ts';
import type { ChatMoves } from './port.ts';
import type { Database, Tables } from './schema.ts';

/** Chats that got another id, and with them their places and what is remembered about them. */
export function chatMoves(db: Database): ChatMoves {
  return {
    async move(channel, from, to, at) {
      return untilUncontended(() =>
        db
          .transaction()
          .execute(async (transaction) => {
            const noted = await transaction
              .insertInto('chat_moves')
              .values({ channel, chat: from, moved_to: to, moved_at: at })
              .onConflict((conflict) => conflict.columns(['channel', 'chat']).doNothing())
              .returning('chat')
              .executeTakeFirst();
            if (noted === undefined) return false;
            await moveThreads(transaction, channel, from, to);
            await moveChoices(transaction, channel, from, to);
            await moveChat(transaction, channel, from, to);
            await moveOverheard(transaction, channel, from, to);
            await moveTasks(transaction, channel, from, to);
            await adopt(transaction, memoryOf(channel, from), memoryOf(channel, to), at);
            return true;
          })
          .catch((error: unknown) => {
            // Somebody has begun a conversation under the new id in the meantime.
            if (error instanceof AntlerError && error.code === 'conflict') return undefined;
            throw error;
          }),
      );
    },

    async presentId(channel, chat) {
      const row = await db
        .selectFrom('chat_moves')
        .select('moved_to')
        .where('channel', '=', channel)
        .where('chat', '=', chat)
        .executeTakeFirst();
      return row?.moved_to ?? null;
    },

    async formerIds(channel, chat) {
      const rows = await db
        .selectFrom('chat_moves')
        .select('chat')
        .where('channel', '=', channel)
        .where('moved_to', '=', chat)
        .orderBy('moved_at', 'desc')
        .execute();
      return rows.map((row) => row.chat);
    },
  };
}

/** What was begun under the new id before the move was known becomes a former conversation of the place. */
async function moveThreads(db: Transaction<Tables>, channel: string, from: string, to: string): Promise<void> {
  const rows = await db
    .selectFrom('threads')
    .select('key')
    .distinct()
    .where(isIn('key', channel, from))
    .execute();
  for (const { key } of rows) {
    const moved = movedKey(key, to);
    const { newest } = await db
      .selectFrom('threads')
      .select((eb) => eb.fn.coalesce(eb.fn.max('generation'), eb.lit(0)).as('newest'))
      .where('key', '=', moved)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('threads')
      .set((eb) => ({ key: moved, generation: eb('generation', '+', Number(newest)) }))
      .where('key', '=', key)
      .execute();
  }
}

async function moveChoices(db: Transaction<Tables>, channel: string, from: string, to: string): Promise<void> {
  const rows = await db
    .selectFrom('place_choices')
    .select('place')
    .where(isIn('place', channel, from))
    .execute();
  for (const { place } of rows) {
    const moved = movedKey(place, to);
    // What was chosen since, under the new id, is the later word.
    const { taken } = await db
      .selectFrom('place_choices')
      .select((eb) => eb.fn.countAll().as('taken'))
      .where('place', '=', moved)
      .executeTakeFirstOrThrow();
    if (Number(taken) === 0)
      await db.updateTable('place_choices').set({ place: moved }).where('place', '=', place).execute();
  }
}

async function moveChat(db: Transaction<Tables>, channel: string, from: string, to: string): Promise<void> {
  const known = db.selectFrom('chats as other').select('other.chat').where('other.channel', '=', channel);
  await db
    .updateTable('chats')
    .set({ chat: to })
    .where('channel', '=', channel)
    .where('chat', '=', from)
    .where(({ not, exists }) => not(exists(known.where('other.chat', '=', to))))
    .execute();
  await db.deleteFrom('chats').where('channel', '=', channel).where('chat', '=', from).execute();
}

async function moveOverheard(db: Transaction<Tables>, channel: string, from: string, to: string): Promise<void> {
  const of = (chat: string) => db.selectFrom('overheard').where('channel', '=', channel).where('chat', '=', chat);
  // Ids of messages may begin anew; what came since the move is the later word.
  await db
    .deleteFrom('overheard')
    .where('channel', '=', channel)
    .where('chat', '=', from)
    .where('id', 'in', of(to).select('id'))
    .execute();
  for (const { place } of await of(from).select('place').distinct().execute()) {
    await db
      .updateTable('overheard')
      .set({ chat: to, place: movedKey(place, to) })
      .where('channel', '=', channel)
      .where('place', '=', place)
      .execute();
  }
}

/** Ids of messages may begin anew, so what was shown there stands for nothing any more. */
async function moveTasks(db: Transaction<Tables>, channel: string, from: string, to: string): Promise<void> {
  await db.deleteFrom('task_messages').where('channel', '=', channel).where('chat', '=', from).execute();
  await db
    .updateTable('tasks')
    .set({ chat: to, card: null })
    .where('channel', '=', channel)
    .where('chat', '=', from)
    .execute();
}

/** The chat's own place, and those of its topics and people, whose keys are prolongations of its own. */
function isIn(column: 'key' | 'place', channel: string, chat: string) {
  const key = threadKey({ channel, chat });
  const start = sql`substr(${sql.ref(column)}, 1, ${sql.lit(key.length + 1)})`;
  return sql<boolean>`${start} in (${key}, ${`${key}/`})`;
}

const movedKey = (key: ThreadKey, to: string): ThreadKey => threadKey({ ...parseThreadKey(key), chat: to });

const memoryOf = (channel: string, chat: string): MemorySubject => chatSubject(threadKey({ channel, chat }));
