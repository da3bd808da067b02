import type { Kysely } from 'kysely';

/**
 * Files that came in or were made by a run, and the files of hosted messages. `bytea` is PostgreSQL's type; SQLite
 * takes any name and leaves bytes as they are: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('files')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('thread', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('direction', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('mime', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('files_thread').on('files').columns(['thread', 'created_at']).execute();
  await db.schema.createIndex('files_created').on('files').column('created_at').execute();

  await db.schema
    .createTable('file_chunks')
    .addColumn('file', 'text', (column) => column.notNull().references('files.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('content', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('file_chunks_pk', ['file', 'position'])
    .execute();

  await db.schema.alterTable('hosted_messages').addColumn('files', 'text').execute();
}
