import type { Kysely } from 'kysely';

/** What is remembered about people and chats, and which conversations are still to be looked through for more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memory_subjects')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('is_off', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('erased_at', 'bigint')
    .addColumn('next_number', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('forgotten', 'text', (column) => column.notNull().defaultTo('{}'))
    .addColumn('undo', 'text')
    .addColumn('told', 'text', (column) => column.notNull().defaultTo('{}'))
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('memory_facts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('confidence', 'integer', (column) => column.notNull())
    .addColumn('thread', 'text')
    .addColumn('entry', 'text')
    .addColumn('said_at', 'bigint')
    .addColumn('said_by', 'text')
    .addColumn('speaker', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('valid_until', 'bigint')
    .addColumn('is_private', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('memory_facts_content')
    .on('memory_facts')
    .columns(['subject', 'hash'])
    .unique()
    .execute();
  await db.schema.createIndex('memory_facts_said_by').on('memory_facts').column('said_by').execute();

  await db.schema
    .createTable('memory_summaries')
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('memory_summaries_key', ['subject', 'kind'])
    .execute();

  await db.schema
    .createTable('memory_jobs')
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('thread', 'text', (column) => column.notNull())
    .addColumn('im_user', 'text')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('chat_kind', 'text', (column) => column.notNull())
    .addColumn('assistant', 'text', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('read_to', 'bigint')
    .addColumn('notices', 'integer', (column) => column.notNull())
    .addColumn('first_at', 'bigint')
    .addColumn('due_at', 'bigint')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('holder', 'text')
    .addColumn('lease_until', 'bigint')
    .addPrimaryKeyConstraint('memory_jobs_key', ['subject', 'thread'])
    .execute();
  await db.schema.createIndex('memory_jobs_due').on('memory_jobs').column('due_at').execute();
}
