import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newThreadId, threadKey } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import type { ChannelSettings } from '../channel/book.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { Adapter, EarlierMessage, Manifest } from '../channel/port.ts';
import { messageWith } from '../files/testing/kit.ts';
import { createEarlier } from './earlier.ts';

const place = threadKey({ channel: 'chat', chat: 'g1', topic: 't' });
const said = (id: string, text = 'words'): EarlierMessage => ({ id, at: 1, name: 'Bo', fromBot: false, text });

interface Case {
  readonly message?: Partial<InboundMessage>;
  readonly topic?: 't' | null;
  readonly setting?: ChannelSettings['earlier'];
  readonly history?: boolean;
  readonly lastAt?: number | null;
  readonly threads?: number;
  readonly found?: Adapter['earlier'];
}

async function read({
  message,
  topic = 't',
  setting = 'topic',
  history = true,
  lastAt = null,
  threads = 1,
  found,
}: Case = {}) {
  let calls = 0;
  const thread = newThreadId();
  const summary = { id: thread, key: place, createdAt: 0, title: null, lastAt: 0 };
  const earlier = createEarlier({
    threads: { lastRunAt: async () => lastAt, list: async () => Array.from({ length: threads }, () => summary) },
    adapter: () => ({
      earlier: (...asked) => {
        calls++;
        return found?.(...asked) ?? Promise.resolve([said('m1')]);
      },
    }),
    log: silentLogger,
  });
  const asked: InboundMessage = {
    ...messageWith(),
    chat: { id: 'g1', kind: 'group' },
    ...(topic === null ? {} : { topic }),
    ...message,
  };
  const entry = {
    settings: { earlier: setting } as ChannelSettings,
    manifest: { capabilities: { history } } as Manifest,
  };
  const told = await earlier({ message: asked, chat: asked.chat, entry, place, thread });
  return { calls, told: told.map(({ id }) => id) };
}

test('only in a new conversation of a topic, where the platform tells it, is read what stands there', async () => {
  const table: [string, Case, number][] = [
    ['called into a topic', {}, 1],
    ['the bot has worked there', { lastAt: 5 }, 0],
    ['the conversation was begun anew', { threads: 2 }, 0],
    ['it is switched off', { setting: 'never' }, 0],
    ['the platform has no history', { history: false }, 0],
    ['a private chat', { message: { chat: { id: 'd', kind: 'dm' } } }, 0],
    ['the message opens the topic', { message: { id: 't' } }, 0],
    ['the message opens a topic where all groups are read', { setting: 'chat', message: { id: 't' } }, 1],
    ['a press of a button', { message: { kind: 'action' } }, 0],
    ['an edit of what still waits', { message: { kind: 'edit' } }, 1],
    ['a topic where all groups are read', { setting: 'chat' }, 1],
    ['a group without topics where all groups are read', { setting: 'chat', topic: null }, 1],
    ['a group without topics', { topic: null }, 0],
  ];
  for (const [name, given, calls] of table) assert.equal((await read(given)).calls, calls, name);
});

test('a failure or a platform that does not answer costs nothing but what stands there', {
  timeout: 10_000,
}, async () => {
  const broken = (): Promise<never> => Promise.reject(new Error('missing_scope'));
  assert.deepEqual((await read({ found: broken })).told, []);
  const before = performance.now();
  assert.deepEqual((await read({ found: () => new Promise(() => {}) })).told, []);
  assert.ok(performance.now() - before < 3_000);
});

test('of what stands there the newest is read, without the message itself and what it quotes', async () => {
  const all = Array.from({ length: 40 }, (_, n) => said(`m${n}`, 'x'.repeat(n < 30 ? 10 : 900)));
  const quote = { messageId: 'quoted', fromBot: false, text: '', files: [] };
  const found = async () => [...all, said('quoted'), said('empty', ''), said('self')];
  const { told } = await read({ message: { id: 'self', quote }, found });
  assert.deepEqual(told, ['m32', 'm33', 'm34', 'm35', 'm36', 'm37', 'm38', 'm39']);
});
