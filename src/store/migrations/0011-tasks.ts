import type { Kysely } from 'kysely';

/** Work that was delegated in chats, what happened to it, and which messages are about it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tasks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('requester', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('assistant', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('thread', 'text', (column) => column.notNull())
    .addColumn('card', 'text')
    .addColumn('assignee', 'text')
    .addColumn('assignee_name', 'text')
    .addColumn('parent', 'text')
    .addColumn('hop', 'integer', (column) => column.notNull())
    .addColumn('deadline_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('reminded_at', 'bigint')
    .addColumn('summary', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('tasks_chat').on('tasks').columns(['channel', 'chat', 'state']).execute();
  await db.schema.createIndex('tasks_requester').on('tasks').columns(['requester', 'state']).execute();
  await db.schema.createIndex('tasks_assignee').on('tasks').columns(['assignee', 'state']).execute();
  await db.schema.createIndex('tasks_state').on('tasks').columns(['state', 'updated_at']).execute();
  await db.schema
    .createTable('task_events')
    .addColumn('task', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('task_events_key', ['task', 'seq'])
    .execute();
  await db.schema
    .createTable('task_messages')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('chat', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('task', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('task_messages_key', ['channel', 'chat', 'message'])
    .execute();
  /** Whoever makes a task holds the rows of its chat and its requester, so that no two count the same free place. */
  await db.schema
    .createTable('task_gates')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('passed', 'bigint', (column) => column.notNull())
    .execute();
}
