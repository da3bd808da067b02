import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ImUserKey, newRunId, taskId } from '../../base/ids.ts';
import type { NewTask, Task, TaskState } from '../../tasks/port.ts';
import type { Store } from '../port.ts';
import { newThread, type Pair } from './fixture.ts';

const MANY = { perPerson: 100, perChat: 100 };

/** A task in a chat that no other test knows. */
async function wanted(store: Store, more: Partial<NewTask> = {}): Promise<NewTask> {
  const id = newRunId();
  const chat = more.chat ?? `chat ${id}`;
  const user = `ann ${id}`;
  return {
    id: taskId(id),
    channel: 'telegram',
    chat,
    requester: `telegram//${encodeURIComponent(user)}` as ImUserKey,
    message: {
      channel: 'telegram',
      channelType: 'telegram',
      tenant: '',
      chat: { id: chat, kind: 'group' },
      id: '7',
      kind: 'message',
      sender: { id: user, name: 'Ann', isBot: false },
      sentAt: 5,
      text: '查一下\0 it',
      addressed: 'mention',
      mentions: [],
      files: [],
    },
    role: 'member',
    language: 'zh',
    title: 'Look it up',
    assistant: 'lead',
    state: 'accepted',
    thread: await newThread(store),
    assignee: null,
    parent: null,
    hop: 0,
    deadlineAt: null,
    createdAt: 1_700_000_000_000,
    ...more,
  };
}

/**
 * All at once on one store: a server's pool has connections enough to make them meet, while two connections of one
 * process to an SQLite file would wait for each other in the only thread there is.
 */
const atOnce = <Result>(store: Store, count: number, call: (store: Store, n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => call(store, n)));

async function made(store: Store, more: Partial<NewTask> = {}): Promise<Task> {
  const created = await store.tasks.create(await wanted(store, more), MANY);
  assert.ok('task' in created);
  return created.task;
}

export function tasksContract(pair: () => Pair): void {
  describe('tasks', () => {
    const at = 1_700_000_001_000;
    const event = { at, actor: 'lead', data: { run: 'r1' } };

    test('a task is made once, and found by every process', async () => {
      const { store, second } = pair();
      const task = await wanted(store);
      const all = await atOnce(store, 6, (one) => one.tasks.create(task, MANY));
      assert.equal(all.filter((one) => 'isNew' in one && one.isNew).length, 1);
      const found = await second.tasks.get(task.id);
      const { card, updatedAt, remindedAt, summary, version, ...rest } = found ?? assert.fail();
      assert.deepEqual(rest, task);
      assert.deepEqual([card, updatedAt, remindedAt, summary, version], [null, task.createdAt, null, null, 1]);
      assert.deepEqual(
        (await store.tasks.events(task.id)).map(({ seq, kind, actor }) => [seq, kind, actor]),
        [[1, 'created', task.requester]],
      );
    });

    test('there are never more open ones than a person and a chat may have, however many ask at once', async () => {
      const { store } = pair();
      const { chat, requester } = await wanted(store);
      const one = await Promise.all(Array.from({ length: 8 }, () => wanted(store, { requester })));
      const theirs = await atOnce(store, 8, (at, n) =>
        at.tasks.create(one[n] ?? assert.fail(), { perPerson: 3, perChat: 9 }),
      );
      assert.equal(theirs.filter((created) => 'task' in created).length, 3);
      assert.ok(theirs.some((created) => 'refused' in created && created.refused === 'perPerson'));
      const two = await Promise.all(Array.from({ length: 8 }, () => wanted(store, { chat })));
      const here = await atOnce(store, 8, (at, n) =>
        at.tasks.create(two[n] ?? assert.fail(), { perPerson: 9, perChat: 2 }),
      );
      const kept = here.flatMap((created) => ('task' in created ? [created.task] : []));
      assert.equal(kept.length, 2);
      const [first] = kept;
      await store.tasks.change(first ?? assert.fail(), { state: 'done' }, { ...event, kind: 'finish' });
      const after = await store.tasks.create(await wanted(store, { chat }), { perPerson: 9, perChat: 2 });
      assert.ok('task' in after, 'what is over takes no place');
    });

    test('of those who change it at once one does, and what happened is noted with it', async () => {
      const { store } = pair();
      const task = await made(store);
      const changes = await atOnce(store, 5, (one, n) =>
        one.tasks.change(task, { state: 'running', summary: `${n}\0` }, { ...event, kind: 'start' }),
      );
      const [won, ...others] = changes.filter((one) => one !== null);
      assert.equal(others.length, 0);
      assert.deepEqual([won?.state, won?.version, won?.updatedAt], ['running', 2, at]);
      assert.deepEqual(await store.tasks.get(task.id), won);
      assert.deepEqual((await store.tasks.events(task.id))[1], { ...event, task: task.id, seq: 2, kind: 'start' });
    });

    test('somebody has it, has it no more, and is reminded', async () => {
      const { store } = pair();
      const task = await made(store);
      const bo = { key: 'telegram//8' as ImUserKey, name: '小波' };
      const his = await store.tasks.change(task, { assignee: bo, deadlineAt: 9 }, { ...event, kind: 'assign' });
      assert.deepEqual([his?.assignee, his?.deadlineAt, his?.state], [bo, 9, 'accepted']);
      const found = await store.tasks.list({ user: bo.key, chat: task.chat }, 5);
      assert.deepEqual(found, [his]);
      const back = await store.tasks.change(
        his ?? assert.fail(),
        { assignee: null, remindedAt: 3 },
        { ...event, kind: 'assign' },
      );
      assert.deepEqual([back?.assignee, back?.remindedAt, back?.deadlineAt], [null, 3, 9]);
    });

    test('they are listed by chat, person, state, and by what their ids begin with, newest first', async () => {
      const { store } = pair();
      const first = await made(store);
      const { chat, requester } = first;
      const second = await made(store, { chat, requester, createdAt: first.createdAt + 1, state: 'waiting' });
      const ids = async (filter: Parameters<Store['tasks']['list']>[0]): Promise<string[]> =>
        (await store.tasks.list(filter, 10)).map(({ id }) => id);
      assert.deepEqual(await ids({ channel: 'telegram', chat }), [second.id, first.id]);
      assert.deepEqual(await ids({ user: requester }), [second.id, first.id]);
      const part = await made(store, { parent: first.id });
      assert.deepEqual(await ids({ parent: first.id }), [part.id]);
      assert.deepEqual(await ids({ chat, states: ['waiting'] satisfies TaskState[] }), [second.id]);
      assert.deepEqual(await ids({ prefix: first.id.slice(0, 8), chat }), [first.id]);
      assert.deepEqual(await ids({ prefix: '%', chat: 'nowhere' }), []);
      assert.deepEqual(await ids({ chat, quietSince: first.updatedAt }), [first.id]);
    });

    test('a message that was said about a task leads to it, in its chat alone', async () => {
      const { store, second } = pair();
      const task = await made(store);
      await store.tasks.said(task.id, { id: 'm1', isCard: true });
      await second.tasks.said(task.id, { id: 'm2', isCard: false });
      await second.tasks.said(task.id, { id: 'm2', isCard: false });
      const [card, result] = [
        await second.tasks.about('telegram', task.chat, 'm1'),
        await store.tasks.about('telegram', task.chat, 'm2'),
      ];
      assert.deepEqual([card?.id, card?.card, result?.id], [task.id, 'm1', task.id]);
      assert.equal(await store.tasks.about('telegram', 'elsewhere', 'm1'), null);
    });

    test('a chat that gets another id takes its tasks along', async () => {
      const { store } = pair();
      const task = await made(store);
      await store.tasks.said(task.id, { id: 'm1', isCard: true });
      await store.chatMoves.move('telegram', task.chat, `${task.chat} moved`, at);
      const moved = await store.tasks.get(task.id);
      assert.deepEqual([moved?.chat, moved?.card], [`${task.chat} moved`, null]);
      assert.equal(await store.tasks.about('telegram', `${task.chat} moved`, 'm1'), null, 'ids of messages begin anew');
    });
  });
}
