import type { Kysely } from 'kysely';

/** What was said in groups within the bot's hearing, and not to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('overheard')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kept_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('overheard_key', ['channel', 'chat', 'id'])
    .execute();
  await db.schema.createIndex('overheard_place').on('overheard').columns(['place', 'kept_at']).execute();
  await db.schema.createIndex('overheard_kept_at').on('overheard').column('kept_at').execute();
}
