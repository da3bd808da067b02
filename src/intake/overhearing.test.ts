import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type ThreadKey, threadKey } from '../base/ids.ts';
import type { AccessPolicy, ChannelSettings } from '../channel/book.ts';
import type { InboundMessage } from '../channel/message.ts';
import { messageWith } from '../files/testing/kit.ts';
import { openIntake } from './testing/kit.ts';

const access: AccessPolicy = {
  ...{ dm: 'open', allowUsers: [], admins: [], groups: 'allowlist', allowGroups: ['g1'] },
  ...{ requireMention: true, answerAll: false, role: 'member', bots: null },
};
const inGroup = (topic?: string): ThreadKey =>
  threadKey({ channel: 'chat', chat: 'g1', ...(topic === undefined ? {} : { topic }) });

let count = 0;
const says = (text: string, more: Partial<InboundMessage> = {}): InboundMessage => ({
  ...messageWith(),
  ...{ id: `m${count++}`, text, files: [], chat: { id: 'g1', kind: 'group' }, addressed: 'none', ...more },
});

async function setDesk(t: TestContext, changed: Partial<ChannelSettings> = {}) {
  const desk = await openIntake(t, {}, { access, overhear: 10, groupScope: 'topic', ...changed });
  const kept = async (place = inGroup()): Promise<string[]> =>
    (await desk.store.overheard.list(place, 0)).map(({ text }) => text);
  return { ...desk, kept };
}

test('only what people say in admitted groups and not to the bot is read along', async (t) => {
  const { accept, kept, store } = await setDesk(t);
  const bot = { id: 'b1', name: 'Bot', isBot: true };
  await accept(says('lunch?'));
  await accept(says('everybody!', { addressed: 'all' }));
  await accept(says('beep', { sender: bot }));
  await accept(says('to the bot', { addressed: 'mention' }));
  await accept(says('secret', { chat: { id: 'g2', kind: 'group' } }));
  await accept(says('hello', { chat: { id: 'd1', kind: 'dm' }, addressed: 'dm' }));
  await accept(says('', { files: [{ id: 'f', kind: 'image', name: 'cat.png' }] }));
  await accept(says(''));
  assert.deepEqual(await kept(), ['lunch?', 'everybody!', '[image: cat.png]']);
  for (const chat of ['g2', 'd1'])
    assert.deepEqual(await store.overheard.list(threadKey({ channel: 'chat', chat }), 0), []);
});

test('nothing is read along unless it is asked for, nor where everything is answered', async (t) => {
  for (const changed of [{ overhear: 0 }, { access: { ...access, requireMention: false } }]) {
    const { accept, kept } = await setDesk(t, changed);
    await accept(says('lunch?'));
    assert.deepEqual(await kept(), []);
  }
});

test('what is edited, emptied or taken back is so where it is kept, also if it is to the bot now', async (t) => {
  const { accept, kept } = await setDesk(t);
  const [one, two, three, four] = [says('one'), says('two'), says('three'), says('four')];
  for (const message of [one, two, three, four]) await accept(message);
  await accept({ ...one, kind: 'edit', text: 'eins' });
  await accept({ ...two, kind: 'recall', text: '' });
  await accept({ ...three, kind: 'edit', text: '' });
  await accept({ ...four, kind: 'edit', text: 'bot, four', addressed: 'mention' });
  await accept({ ...says('never kept'), kind: 'edit' });
  assert.deepEqual(await kept(), ['eins', 'bot, four']);
});

test('a message that opens a thread is said in the hearing of the chat, its replies in that of the thread', async (t) => {
  const { accept, kept, bus, store } = await setDesk(t);
  const root = says('lunch?');
  await accept({ ...root, topic: root.id });
  await accept(says('pizza', { topic: root.id }));
  assert.deepEqual(await kept(), ['lunch?']);
  assert.deepEqual(await kept(inGroup(root.id)), ['pizza']);
  const call = says('what do they want?', { addressed: 'mention' });
  await accept({ ...call, topic: call.id });
  const heard: unknown[] = [];
  const thread = await store.threads.open(inGroup(call.id));
  const working = await bus.work(
    {
      run: async ({ inputs }) => {
        heard.push(...inputs.map(({ payload }) => (payload as { hearing?: string }).hearing));
        return { kind: 'done', commit: 'r_1' as never, ackSeq: inputs.at(-1)?.seq ?? 0, deliveries: [] };
      },
      committed: async () => {},
      giveUp: async () => [],
    },
    { concurrency: 1, leaseMs: 10_000, maxAttempts: 1 },
  );
  await t.waitFor(() => assert.deepEqual(heard, [inGroup()]));
  await working.stop();
  assert.ok(thread);
});

test('a message that cannot be kept is not delivered again for that', async (t) => {
  const { store, ...rest } = await setDesk(t);
  t.mock.method(store.overheard, 'keep', () => Promise.reject(new Error('the database is down')));
  await rest.accept(says('lunch?'));
  t.mock.method(store.overheard, 'remove', () => Promise.reject(new Error('the database is down')));
  await assert.rejects(rest.accept({ ...says('lunch?'), kind: 'recall' }), /down/);
});
