import type { Kysely } from 'kysely';

/** Which chats got another id on their platform. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('chat_moves')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('moved_to', 'text', (column) => column.notNull())
    .addColumn('moved_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('chat_moves_key', ['channel', 'chat'])
    .execute();
  await db.schema.createIndex('chat_moves_moved_to').on('chat_moves').columns(['channel', 'moved_to']).execute();
}
