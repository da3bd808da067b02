import type { Kysely } from 'kysely';

/** What people want to be done later, or again and again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('schedules')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('due', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('why', 'text')
    .addColumn('next_at', 'bigint')
    .addColumn('last_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('schedules_next').on('schedules').columns(['state', 'next_at']).execute();
  await db.schema.createIndex('schedules_owner').on('schedules').column('owner').execute();
  await db.schema.createIndex('schedules_chat').on('schedules').columns(['channel', 'chat']).execute();
}
