import type { Kysely } from 'kysely';

/** What was used by whom in which hour and day, what of it is counted already, and which runs hold a slot. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('usage')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('span', 'text', (column) => column.notNull())
    .addColumn('start', 'bigint', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('runs', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('input_tokens', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('output_tokens', 'bigint', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('usage_key', ['kind', 'id', 'span', 'start', 'model'])
    .execute();
  await db.schema.createIndex('usage_window').on('usage').columns(['span', 'start']).execute();

  await db.schema
    .createTable('usage_ledger')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('input_tokens', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('output_tokens', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_ledger_key', ['id', 'model'])
    .execute();
  await db.schema.createIndex('usage_ledger_at').on('usage_ledger').column('at').execute();

  await db.schema
    .createTable('run_slots')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('turn', 'text', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('run_slots_key', ['kind', 'id', 'turn'])
    .execute();
  await db.schema.createIndex('run_slots_holder').on('run_slots').column('holder').execute();

  await db.schema
    .createTable('usage_notices')
    .addColumn('topic', 'text', (column) => column.notNull())
    .addColumn('start', 'bigint', (column) => column.notNull())
    .addColumn('turn', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_notices_key', ['topic', 'start'])
    .execute();
}
