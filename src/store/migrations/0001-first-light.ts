import { type Kysely, sql } from 'kysely';

/** Threads and their log, runs and their events, IM users, settings, hosted chats, state of channels. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('threads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('threads_key_generation', ['key', 'generation'])
    .execute();

  await db.schema
    .createTable('runs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('thread', 'text', (column) => column.notNull().references('threads.id'))
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('assistant', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('first_seq', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('result', 'text')
    .addColumn('error_code', 'text')
    .addColumn('error_detail', 'text')
    .addColumn('input_tokens', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('output_tokens', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('runs_thread_started').on('runs').columns(['thread', 'started_at']).execute();
  // What a settle looks at: nearly all runs are committed, so this index stays tiny however long a thread gets.
  await db.schema
    .createIndex('runs_thread_unsettled')
    .on('runs')
    .column('thread')
    .where(sql.ref('status'), '<>', sql.lit('committed'))
    .execute();

  await db.schema
    .createTable('log_entries')
    .addColumn('thread', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('run', 'text', (column) => column.notNull().references('runs.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('log_entries_pk', ['thread', 'position'])
    .execute();

  await db.schema
    .createTable('run_events')
    .addColumn('run', 'text', (column) => column.notNull().references('runs.id'))
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('run_events_pk', ['run', 'seq'])
    .execute();

  await db.schema
    .createTable('im_users')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('is_bot', 'integer', (column) => column.notNull())
    .addColumn('language', 'text')
    .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('settings')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('hosted_messages')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('markdown', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('hosted_messages_pk', ['channel', 'chat', 'seq'])
    .addUniqueConstraint('hosted_messages_id', ['channel', 'chat', 'id'])
    .execute();

  await db.schema
    .createTable('channel_state')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('channel_state_pk', ['channel', 'key'])
    .execute();
}
