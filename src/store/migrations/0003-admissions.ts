import type { Kysely } from 'kysely';

/** Who was let in at run time, and who asks to be. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('admissions')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('user', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('admitted_by', 'text', (column) => column.notNull())
    .addColumn('admitted_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('admissions_pk', ['channel', 'user'])
    .execute();

  await db.schema
    .createTable('pairing_requests')
    .addColumn('code', 'text', (column) => column.primaryKey())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('user', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('requested_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('pairing_requests_user', ['channel', 'user'])
    .execute();
}
