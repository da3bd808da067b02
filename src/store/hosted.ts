import { sql } from 'kysely';
import type { FileRef, HostedChat, HostedMessage } from '../channel/port.ts';
import { untilUncontended } from './conflict.ts';
import type { Database } from './schema.ts';
import { storable } from './text.ts';

const columns = ['id', 'chat', 'seq', 'author', 'name', 'markdown', 'at', 'files'] as const;

type Row = Omit<HostedMessage, 'files'> & { readonly files: string | null };

const messageOf = ({ files, ...row }: Row): HostedMessage =>
  files === null ? row : { ...row, files: JSON.parse(files) as readonly FileRef[] };

/** The messages of one channel's chats. A chat's seq has no gaps, and a message is never seen before an earlier one. */
export function hostedChat(db: Database, channel: string): HostedChat {
  async function stored(chat: string, id: string): Promise<HostedMessage | undefined> {
    const row = await db
      .selectFrom('hosted_messages')
      .select(columns)
      .where('channel', '=', channel)
      .where('chat', '=', chat)
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? undefined : messageOf(row);
  }

  return {
    async append(message) {
      const insert = db
        .insertInto('hosted_messages')
        .values((eb) => ({
          channel,
          chat: message.chat,
          seq: eb
            .selectFrom('hosted_messages as former')
            .select(sql<number>`coalesce(max(former.seq), 0) + 1`.as('next'))
            .where('former.channel', '=', channel)
            .where('former.chat', '=', message.chat),
          id: message.id,
          author: message.author,
          name: storable(message.name),
          markdown: storable(message.markdown),
          at: message.at,
          files: message.files === undefined ? null : JSON.stringify(message.files),
        }))
        .onConflict((conflict) => conflict.doNothing())
        .returning(columns);
      return untilUncontended(async () => {
        const row = await insert.executeTakeFirst();
        // Nothing inserted: the id is stored already, or somebody else has just taken the seq.
        return row === undefined ? stored(message.chat, message.id) : messageOf(row);
      });
    },

    async edit(chat, id, markdown) {
      await db
        .updateTable('hosted_messages')
        .set({ markdown: storable(markdown) })
        .where('channel', '=', channel)
        .where('chat', '=', chat)
        .where('id', '=', id)
        .execute();
    },

    async list(chat, limit, before) {
      let query = db
        .selectFrom('hosted_messages')
        .select(columns)
        .where('channel', '=', channel)
        .where('chat', '=', chat);
      if (before !== undefined) query = query.where('seq', '<', before);
      const rows = await query.orderBy('seq', 'desc').limit(limit).execute();
      return rows.reverse().map(messageOf);
    },
  };
}
