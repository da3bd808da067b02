import type { Insertable, Selectable, Transaction } from 'kysely';
import type { InboundMessage } from '../channel/message.ts';
import type { NewTask, Task, TaskEvent, TaskFilter, TaskRecords, TaskState } from '../tasks/port.ts';
import type { Database, Tables, TaskTable } from './schema.ts';
import { storable } from './text.ts';

/** Not over. Which states these are is the tasks' own affair; the database only counts them. */
const OPEN: readonly TaskState[] = ['proposed', 'accepted', 'running', 'waiting'];

/** Delegated work, with what happened to it in the same step. */
export function tasks(db: Database): TaskRecords {
  return {
    create: (task, limits) =>
      db.transaction().execute(async (transaction) => {
        await holdGates(transaction, [`chat:${task.channel}/${task.chat}`, `user:${task.requester}`]);
        const made = await transaction.selectFrom('tasks').selectAll().where('id', '=', task.id).executeTakeFirst();
        if (made !== undefined) return { task: taskOf(made), isNew: false };
        const open = (): ReturnType<typeof countOpen> => countOpen(transaction);
        const here = open().where('channel', '=', task.channel).where('chat', '=', storable(task.chat));
        if (Number((await here.executeTakeFirstOrThrow()).count) >= limits.perChat) return { refused: 'perChat' };
        const theirs = open().where('requester', '=', task.requester);
        if (Number((await theirs.executeTakeFirstOrThrow()).count) >= limits.perPerson) return { refused: 'perPerson' };
        const row = await transaction.insertInto('tasks').values(rowOf(task)).returningAll().executeTakeFirstOrThrow();
        await transaction
          .insertInto('task_events')
          .values({ task: task.id, seq: 1, at: task.createdAt, actor: task.requester, kind: 'created', data: '{}' })
          .execute();
        return { task: taskOf(row), isNew: true };
      }),

    async get(id) {
      const row = await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : taskOf(row);
    },

    change: ({ id, version }, set, event) =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('tasks')
          .set({
            ...(set.state === undefined ? {} : { state: set.state }),
            ...(set.assignee === undefined
              ? {}
              : { assignee: set.assignee?.key ?? null, assignee_name: set.assignee?.name ?? null }),
            ...(set.summary === undefined ? {} : { summary: set.summary === null ? null : storable(set.summary) }),
            ...(set.remindedAt === undefined ? {} : { reminded_at: set.remindedAt }),
            ...(set.deadlineAt === undefined ? {} : { deadline_at: set.deadlineAt }),
            updated_at: event.at,
            version: version + 1,
          })
          .where('id', '=', id)
          .where('version', '=', version)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        await transaction
          .insertInto('task_events')
          .values({ ...event, task: id, seq: version + 1, data: JSON.stringify(event.data) })
          .execute();
        return taskOf(row);
      }),

    async list(filter, limit) {
      const rows = await matching(db, filter).orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
      return rows.map(taskOf);
    },

    async events(id) {
      const rows = await db.selectFrom('task_events').selectAll().where('task', '=', id).orderBy('seq').execute();
      return rows.map(({ data, ...row }): TaskEvent => ({ ...row, data: JSON.parse(data) as TaskEvent['data'] }));
    },

    async said(id, { id: message, isCard }) {
      const { channel, chat } = await db
        .selectFrom('tasks')
        .select(['channel', 'chat'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await db
        .insertInto('task_messages')
        .values({ channel, chat, message: storable(message), task: id })
        .onConflict((conflict) => conflict.columns(['channel', 'chat', 'message']).doUpdateSet({ task: id }))
        .execute();
      if (isCard)
        await db
          .updateTable('tasks')
          .set({ card: storable(message) })
          .where('id', '=', id)
          .execute();
    },

    async about(channel, chat, message) {
      const row = await db
        .selectFrom('task_messages as said')
        .innerJoin('tasks', 'tasks.id', 'said.task')
        .selectAll('tasks')
        .where('said.channel', '=', channel)
        .where('said.chat', '=', storable(chat))
        .where('said.message', '=', storable(message))
        .executeTakeFirst();
      return row === undefined ? null : taskOf(row);
    },
  };
}

/** Lets one at a time count what is open and add to it; always in one order, so that nobody locks another one out. */
async function holdGates(db: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  for (const id of ids.toSorted())
    await db
      .insertInto('task_gates')
      .values({ id: storable(id), passed: 1 })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({ passed: eb('task_gates.passed', '+', 1) })),
      )
      .execute();
}

const countOpen = (db: Transaction<Tables>) =>
  db
    .selectFrom('tasks')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('state', 'in', OPEN);

function matching(db: Database, { channel, chat, user, states, parent, prefix, quietSince }: TaskFilter) {
  let query = db.selectFrom('tasks').selectAll();
  if (channel !== undefined) query = query.where('channel', '=', channel);
  if (chat !== undefined) query = query.where('chat', '=', storable(chat));
  if (user !== undefined) query = query.where((eb) => eb.or([eb('requester', '=', user), eb('assignee', '=', user)]));
  if (parent !== undefined) query = query.where('parent', '=', parent);
  if (states !== undefined) query = query.where('state', 'in', states);
  // The letters and digits of an id are none that a pattern knows.
  if (prefix !== undefined) query = query.where('id', 'like', `${prefix.replace(/[^0-9a-z]/g, '')}%` as Task['id']);
  if (quietSince !== undefined) query = query.where('updated_at', '<=', quietSince);
  return query;
}

const rowOf = (task: NewTask): Insertable<TaskTable> => ({
  id: task.id,
  channel: task.channel,
  chat: storable(task.chat),
  requester: task.requester,
  message: JSON.stringify(task.message),
  role: task.role,
  language: task.language,
  title: storable(task.title),
  assistant: task.assistant,
  state: task.state,
  thread: task.thread,
  card: null,
  assignee: task.assignee?.key ?? null,
  assignee_name: task.assignee?.name ?? null,
  parent: task.parent,
  hop: task.hop,
  deadline_at: task.deadlineAt,
  created_at: task.createdAt,
  updated_at: task.createdAt,
  reminded_at: null,
  summary: null,
  version: 1,
});

const taskOf = (row: Selectable<TaskTable>): Task => ({
  id: row.id,
  channel: row.channel,
  chat: row.chat,
  requester: row.requester,
  message: JSON.parse(row.message) as InboundMessage,
  role: row.role,
  language: row.language,
  title: row.title,
  assistant: row.assistant,
  state: row.state,
  thread: row.thread,
  card: row.card,
  assignee: row.assignee === null ? null : { key: row.assignee, name: row.assignee_name ?? '' },
  parent: row.parent,
  hop: row.hop,
  deadlineAt: row.deadline_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  remindedAt: row.reminded_at,
  summary: row.summary,
  version: row.version,
});
