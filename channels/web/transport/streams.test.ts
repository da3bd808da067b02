import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as broadcastsDone } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { readEvents } from '../testing/event-reader.ts';
import { webForTests } from '../testing/harness.ts';
import { createStreams } from './streams.ts';

const target = { chat: 'owner', chatKind: 'dm' } as const;

test('a page that connects gets the newest messages, then everything that happens', async (t) => {
  const { adapter, get, post } = await webForTests(t);
  await adapter.send(target, { markdown: '**old**' }, { key: 'k:0' });
  await broadcastsDone();
  const page = readEvents(await get('/api/v1/chat/events'));
  const sync = await page.next();
  assert.equal(sync?.event, 'sync');
  assert.partialDeepStrictEqual(sync.data, {
    messages: [{ id: 'k:0', html: '<p><strong>old</strong></p>' }],
    more: false,
    gap: true,
  });
  await post({ id: 'message-1', text: 'hi' });
  await adapter.typing?.(target);
  const { id } = await adapter.send(target, { markdown: 'He' }, { key: 'k:1', draft: true });
  await adapter.edit?.(target, id, { markdown: 'Hello' }, { key: 'k:1' });
  assert.partialDeepStrictEqual(
    [await page.next(), await page.next(), await page.next(), await page.next()],
    [
      { event: 'message', id: '2', data: { message: { id: 'message-1', author: 'person' }, draft: false } },
      { event: 'typing', data: { lastsMs: limits.typingLastsMs } },
      { event: 'message', id: '3', data: { message: { id: 'k:1', html: '<p>He</p>' }, draft: true } },
      { event: 'edit', data: { id: 'k:1', html: '<p>Hello</p>', draft: false } },
    ],
  );
  await page.cancel();
});

test('a page that was away learns what it missed, and whether there is a gap before it', async (t) => {
  const { adapter, get } = await webForTests(t);
  for (let n = 1; n <= limits.pageSize + 3; n++) await adapter.send(target, { markdown: `m${n}` }, { key: `k:${n}` });
  const connect = async (headers: Record<string, string>, query = '') => {
    const page = readEvents(await get(`/api/v1/chat/events${query}`, headers));
    const sync = await page.next();
    await page.cancel();
    return sync;
  };
  const near = await connect({ 'last-event-id': String(limits.pageSize) });
  assert.partialDeepStrictEqual(near, { id: String(limits.pageSize + 3), data: { gap: false, more: true } });
  assert.partialDeepStrictEqual(await connect({ 'last-event-id': '1' }), { data: { gap: true } });
  assert.partialDeepStrictEqual(await connect({}, `?after=${limits.pageSize}`), { data: { gap: false } });
  assert.partialDeepStrictEqual(await connect({ 'last-event-id': 'x' }), { data: { gap: true } });
});

test('what happens while the history is read comes after it', async () => {
  const streams = createStreams();
  streams.begin();
  const { promise: history, resolve } = Promise.withResolvers<void>();
  const response = streams.open('a', async () => {
    await history;
    return { event: 'sync', data: 'history' };
  });
  streams.emit('a', { event: 'edit', data: 'meanwhile' });
  streams.emit('b', { event: 'edit', data: 'elsewhere' });
  resolve();
  const page = readEvents(response);
  assert.deepEqual([(await page.next())?.data, (await page.next())?.data], ['history', 'meanwhile']);
  streams.end();
  assert.equal(await page.next(), null);
});

test('a silent connection is kept alive, and stop leaves nothing behind', async (t) => {
  const { adapter, get, clock, statuses } = await webForTests(t);
  const page = readEvents(await get('/api/v1/chat/events'));
  assert.equal((await page.next())?.event, 'sync');
  clock.wake();
  assert.equal((await page.next())?.event, 'comment');
  await adapter.stop();
  assert.equal(await page.next(), null);
  assert.equal((await get('/api/v1/chat/events'))?.status, 503);
  assert.deepEqual(
    statuses.map(({ state }) => state),
    ['connected', 'stopped'],
  );
  await adapter.send(target, { markdown: 'still works' }, { key: 'k:1' });
});

test('a page that does not read is cut off, the others go on', async () => {
  const streams = createStreams();
  streams.begin();
  const first = async () => ({ event: 'sync', data: null }) as const;
  const asleep = streams.open('a', first);
  const awake = readEvents(streams.open('a', first));
  await awake.next();
  const chunk = 'x'.repeat(100_000);
  for (let sent = 0; sent <= limits.maxLagBytes; sent += chunk.length) {
    streams.emit('a', { event: 'edit', data: chunk });
    await awake.next();
  }
  streams.emit('a', { event: 'edit', data: 'last' });
  assert.equal((await awake.next())?.data, 'last');
  const reader = readEvents(asleep);
  let last: unknown;
  for (let event = await reader.next(); event !== null; event = await reader.next()) last = event.data;
  assert.equal(last, chunk);
  streams.end();
});

test('a history that cannot be read closes the stream, so that the page tries again', async () => {
  const streams = createStreams();
  streams.begin();
  const page = readEvents(streams.open('a', () => Promise.reject(new Error('database away'))));
  assert.equal(await page.next(), null);
  assert.equal(streams.watched('a'), false);
});

test('open pages are bounded, and a closed one makes room', async () => {
  const streams = createStreams();
  streams.begin();
  const open = () => streams.open('a', async () => ({ event: 'sync', data: null }));
  const pages = Array.from({ length: limits.maxStreams }, open);
  assert.equal(open().status, 503);
  await pages[0]?.body?.cancel();
  assert.equal(open().status, 200);
  streams.end();
});
