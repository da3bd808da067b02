import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Changed, Made } from './desk.ts';
import type { Task } from './port.ts';
import { member, openDesk, personKey, said, wish } from './testing/kit.ts';

const taskOf = (made: Made | Changed): Task => ('refused' in made ? assert.fail(made.refused) : made.task);
const refusal = (made: Made | Changed): string | null => ('refused' in made ? made.refused : null);

test('whoever is cut off while making a task makes it again: one task, one card, begun under one key', async (t) => {
  const { desk, shown, begun } = await openDesk(t);
  const [first, again] = [taskOf(await desk.make(wish('m1'))), taskOf(await desk.make(wish('m1')))];
  assert.equal(again.id, first.id);
  assert.equal(shown.length, 1);
  assert.deepEqual(new Set(begun.map(({ key }) => key)).size, 1);
});

test('nobody has more open tasks than they may, and ended ones do not count', async (t) => {
  const { desk } = await openDesk(t);
  const tasks = [];
  for (const id of ['m1', 'm2', 'm3']) tasks.push(taskOf(await desk.make(wish(id))));
  assert.equal(refusal(await desk.make(wish('m4'))), 'perPerson');
  await desk.change(tasks[0] ?? assert.fail(), 'cancel', member('ann'));
  assert.equal(refusal(await desk.make(wish('m4'))), null);
});

test('work is handed on only so often', async (t) => {
  const { desk } = await openDesk(t);
  const first = taskOf(await desk.make(wish('m1')));
  const child = taskOf(await desk.make(wish('m2', { parent: first })));
  const grandchild = taskOf(await desk.make(wish('m3', { parent: child })));
  assert.deepEqual([child.hop, grandchild.hop, grandchild.parent], [1, 2, child.id]);
  await desk.change(first, 'cancel', member('ann'));
  assert.equal(refusal(await desk.make(wish('m4', { parent: grandchild }))), 'hops');
});

test('who asked for it, who has it and operators change a task, nobody else', async (t) => {
  const { desk } = await openDesk(t);
  const bo = { key: personKey('bo'), name: 'Bo' };
  const task = taskOf(await desk.make(wish('m1', { assignee: bo })));
  for (const change of ['cancel', 'finish'] as const)
    assert.equal(refusal(await desk.change(task, change, member('eve'))), 'not_yours');
  assert.equal(refusal(await desk.assign(task, null, member('eve'))), 'not_yours');
  assert.equal(refusal(await desk.tell(task, said('m9', 'Hurry'), member('eve'), 'k')), 'not_yours');
  assert.equal(taskOf(await desk.change(task, 'finish', member('bo'))).state, 'done');
  assert.equal(refusal(await desk.change(task, 'cancel', member('ann'))), 'not_now');
  const other = taskOf(await desk.make(wish('m2')));
  assert.equal(taskOf(await desk.change(other, 'cancel', { ...member('eve'), role: 'operator' })).state, 'cancelled');
  const events = await desk.events(task.id);
  assert.deepEqual(
    events.map(({ kind, actor }) => [kind, actor]),
    [
      ['created', personKey('ann')],
      ['finish', personKey('bo')],
    ],
  );
});

test('a task that a person has is begun when the assistant gets it back', async (t) => {
  const { desk, begun } = await openDesk(t);
  const task = taskOf(await desk.make(wish('m1', { assignee: { key: personKey('bo'), name: 'Bo' } })));
  assert.equal(begun.length, 0);
  const back = taskOf(await desk.assign(task, null, member('bo')));
  assert.deepEqual([back.assignee, back.state, begun.length], [null, 'accepted', 1]);
});

test('what is said about a task that is over takes it up again', async (t) => {
  const { desk, begun } = await openDesk(t);
  const task = taskOf(await desk.make(wish('m1')));
  await desk.change(task, 'cancel', member('ann'));
  const now = taskOf(await desk.tell(task, said('m2', 'Do it after all'), member('ann'), 'k'));
  assert.equal(now.state, 'accepted');
  assert.equal(begun.at(-1)?.text, 'Do it after all');
});
