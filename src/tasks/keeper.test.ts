import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newRunId } from '../base/ids.ts';
import type { Task, TaskChange, TaskState } from './port.ts';
import { openDesk, personKey, wish } from './testing/kit.ts';

/** A desk with one task, which may be brought to any state. */
async function withTask(t: Parameters<typeof openDesk>[0], more: Parameters<typeof wish>[1] = {}) {
  const around = await openDesk(t);
  const made = await around.desk.make(wish('m1', more));
  assert.ok('task' in made);
  const state = async (): Promise<TaskState | undefined> => (await around.desk.get(made.task.id))?.state;
  const bring = async (kind: TaskChange, to: TaskState): Promise<void> => {
    const task: Task = (await around.desk.get(made.task.id)) ?? assert.fail();
    const event = { at: task.updatedAt, actor: 'lead', kind, data: {} };
    assert.ok(await around.store.tasks.change(task, { state: to }, event));
  };
  const reminders = (): readonly string[] =>
    around.shown.filter(({ id }) => id.includes('/reminder/')).map(({ document }) => document.markdown);
  return { ...around, task: made.task, state, bring, reminders };
}

test('who keeps a task waiting is reminded once, and at last it expires, however many look after it', async (t) => {
  const { lookAfter, later, bring, state, reminders, shown } = await withTask(t);
  await bring('start', 'running');
  await bring('ask', 'waiting');
  later(23);
  await lookAfter();
  assert.deepEqual(reminders(), []);
  later(2);
  await Promise.all([lookAfter(), lookAfter()]);
  await lookAfter();
  assert.equal(reminders().length, 1);
  assert.match(reminders()[0] ?? '', /^\[@Ann\]\(mention:ann\) the task “Do m1” still waits.*\/tasks answer/);
  later(47);
  await lookAfter();
  assert.equal(await state(), 'waiting');
  later(2);
  await Promise.all([lookAfter(), lookAfter()]);
  assert.equal(await state(), 'expired');
  assert.match(shown.at(-1)?.document.markdown ?? '', /⌛[\s\S]*expired/);
});

test('a person who has a task is reminded at its deadline', async (t) => {
  const deadlineAt = 1_700_000_000_000 + 5 * 3_600_000;
  const { lookAfter, later, reminders } = await withTask(t, {
    assignee: { key: personKey('bo'), name: 'Bo' },
    deadlineAt,
  });
  later(4);
  await lookAfter();
  assert.deepEqual(reminders(), []);
  later(2);
  await lookAfter();
  assert.match(reminders().join(), /^\[@Bo\].*is still yours/);
});

test('a task whose maker died before it was begun is begun', async (t) => {
  const { lookAfter, later, begun, task } = await withTask(t);
  later(1);
  await lookAfter();
  assert.deepEqual(
    begun.map(({ key }) => key),
    [`task/${task.id}/start`, `task/${task.id}/start/1`],
  );
});

test('a task whose worker died after its last word was sent comes to its end', async (t) => {
  const { lookAfter, later, bring, state, store, task } = await withTask(t);
  await bring('start', 'running');
  const run = newRunId();
  await store.runs.start({ id: run, thread: task.thread, assistant: 'lead', model: 'm', firstSeq: 1, startedAt: 1 });
  await store.runs.end(run, { endedAt: 2, result: 'completed', inputTokens: 1, outputTokens: 1 });
  later(1);
  await lookAfter();
  assert.equal(await state(), 'done');
});

test('a task that is nobody’s work any more has failed', async (t) => {
  const { lookAfter, later, bring, state } = await withTask(t);
  await bring('start', 'running');
  later(1);
  await lookAfter();
  assert.equal(await state(), 'failed');
});
