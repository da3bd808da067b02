import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from './limits.ts';
import { webForTests } from './testing/harness.ts';

const target = { chat: 'owner', chatKind: 'dm' } as const;

test('a send that is repeated shows one message, and the newer text counts', async (t) => {
  const { adapter, history } = await webForTests(t);
  const first = await adapter.send(target, { markdown: 'Hel' }, { key: 't:1:0', draft: true });
  const again = await adapter.send(target, { markdown: 'Hello' }, { key: 't:1:0' });
  assert.equal(first.id, again.id);
  assert.deepEqual(
    (await history()).messages.map(({ markdown, author, name }) => [markdown, author, name]),
    [['Hello', 'bot', 'Antler']],
  );
});

test('of a growing answer few stands are stored, and always the last', async (t) => {
  const { adapter, clock, history } = await webForTests(t);
  const text = async () => (await history()).messages[0]?.markdown;
  const { id } = await adapter.send(target, { markdown: '1' }, { key: 't:1:0', draft: true });
  await adapter.edit?.(target, id, { markdown: '12' }, { key: 'a', draft: true });
  assert.equal(await text(), '12');
  await adapter.edit?.(target, id, { markdown: '123' }, { key: 'b', draft: true });
  assert.equal(await text(), '12');
  clock.time += limits.storeDraftMs;
  await adapter.edit?.(target, id, { markdown: '1234' }, { key: 'c', draft: true });
  assert.equal(await text(), '1234');
  await adapter.edit?.(target, id, { markdown: '12345' }, { key: 'd' });
  assert.equal(await text(), '12345');
});

test('a posted message reaches intake once it is kept, with the language of the browser', async (t) => {
  const { post, accepted, history } = await webForTests(t);
  const response = await post({ id: 'message-1', text: '你好' }, { 'accept-language': 'zh-CN,zh;q=0.9' });
  assert.equal(response.status, 202);
  const [message] = accepted;
  assert.equal(accepted.length, 1);
  assert.deepEqual(
    { ...message, sentAt: 0 },
    {
      channel: 'web',
      channelType: 'web',
      tenant: '',
      chat: { id: 'owner', kind: 'dm' },
      id: 'message-1',
      kind: 'message',
      sender: { id: 'owner', name: 'Owner', isBot: false, language: 'zh-CN' },
      sentAt: 0,
      text: '你好',
      addressed: 'dm',
      mentions: [],
      files: [],
    },
  );
  assert.deepEqual(
    (await history()).messages.map(({ id, author }) => [id, author]),
    [['message-1', 'person']],
  );
});

test('a post that is repeated stays one message with the words of the first', async (t) => {
  const { post, accepted, history } = await webForTests(t);
  await post({ id: 'message-1', text: 'one' });
  await post({ id: 'message-1', text: 'two' });
  assert.deepEqual(
    accepted.map(({ id, text }) => [id, text]),
    [
      ['message-1', 'one'],
      ['message-1', 'one'],
    ],
  );
  assert.equal((await history()).messages.length, 1);
});

test('when intake cannot store it, the page is told to send it again', async (t) => {
  const { post, failIntake } = await webForTests(t);
  failIntake();
  const response = await post({ id: 'message-1', text: 'one' });
  assert.equal(response.status, 503);
  assert.equal((await response.json()).error.code, 'unavailable');
});

test('bad posts are refused with a code', async (t) => {
  const { post, get, page, accepted } = await webForTests(t);
  const table: [unknown, number, string][] = [
    [{ id: 'short', text: 'x' }, 400, 'bad_input'],
    [{ id: 't:1:0-like-a-delivery', text: 'x' }, 400, 'bad_input'],
    [{ id: 'message-1', text: '  \n' }, 400, 'bad_input'],
    [{ id: 'message-1' }, 400, 'bad_input'],
    ['hello', 400, 'bad_input'],
    [null, 400, 'bad_input'],
    [{ id: 'message-1', text: 'x'.repeat(limits.maxPostUtf16 + 1) }, 413, 'too_large'],
    [{ id: 'message-1', text: 'x', more: 'x'.repeat(limits.maxBodyBytes) }, 413, 'too_large'],
  ];
  for (const [body, status, code] of table) {
    const response = await post(body);
    assert.deepEqual([response.status, (await response.json()).error.code], [status, code]);
  }
  assert.equal(accepted.length, 0);
  for (const query of ['limit=0', 'limit=-1', 'limit=x', 'before=1.5', 'before='])
    assert.equal((await get(`/api/v1/chat/messages?${query}`))?.status, 400, query);
  assert.equal((await page(new Request('http://h/api/v1/chat/stop')))?.status, 405);
  assert.equal(await get('/api/v1/other'), null);
  assert.equal(await get('/web/../adapter.ts'), null);
  assert.equal(await get('/web/index.html'), null);
  assert.equal(await get('/web/constructor'), null);
});

test('history is read in pages', async (t) => {
  const { adapter, history } = await webForTests(t);
  for (let n = 1; n <= 5; n++) await adapter.send(target, { markdown: `m${n}` }, { key: `k:${n}` });
  const newest = await history('?limit=2');
  assert.deepEqual([newest.messages.map(({ markdown }) => markdown), newest.more], [['m4', 'm5'], true]);
  const before = await history(`?limit=3&before=${newest.messages[0]?.seq}`);
  assert.deepEqual([before.messages.map(({ markdown }) => markdown), before.more], [['m1', 'm2', 'm3'], false]);
});

test('stop asks for the run of this chat to end', async (t) => {
  const { page, stopped } = await webForTests(t);
  const response = await page(new Request('http://h/api/v1/chat/stop', { method: 'POST' }));
  assert.deepEqual(await response?.json(), { stopped: true });
  assert.deepEqual(stopped, [{ chat: 'owner', chatKind: 'dm', user: 'owner' }]);
});

test('the page speaks the language of the browser and leaves no word unfilled', async (t) => {
  const { page } = await webForTests(t);
  for (const [header, tag] of [
    ['zh-CN', 'zh-CN'],
    ['de', 'en'],
  ] as const) {
    const response = await page(new Request('http://h/', { headers: { 'accept-language': header } }));
    const html = (await response?.text()) ?? '';
    assert.match(html, new RegExp(`<html lang="${tag}">`));
    assert.doesNotMatch(html, /\{\{/);
    for (const [, path = ''] of html.matchAll(/(?:src|href)="(\/web\/[^"]+)"/g)) {
      const part = await page(new Request(`http://h${path}`));
      assert.equal(part?.status, 200, path);
      const etag = part?.headers.get('etag') ?? '';
      const cached = await page(new Request(`http://h${path}`, { headers: { 'if-none-match': etag } }));
      assert.equal(cached?.status, 304);
    }
  }
});

test('every script that a script imports is served', async (t) => {
  const { page } = await webForTests(t);
  const seen = new Set<string>();
  const visit = async (name: string): Promise<void> => {
    if (seen.has(name)) return;
    seen.add(name);
    const response = await page(new Request(`http://h/web/${name}`));
    assert.equal(response?.status, 200, name);
    for (const [, next = ''] of (await response?.text())?.matchAll(/^import .* from '\.\/(.+)';$/gm) ?? [])
      await visit(next);
  };
  await visit('main.js');
  assert.ok(seen.size > 8);
});
