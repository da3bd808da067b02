import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FileId, imUserKey, newFileId, newThreadId } from '../../src/base/ids.ts';
import type { FileRef } from '../../src/channel/port.ts';
import { fileIdIn } from '../../src/files/wishes.ts';
import { type WebUnderTest, webForTests } from './testing/harness.ts';

const target = { chat: 'owner', chatKind: 'dm' } as const;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

interface Uploaded {
  readonly status: number;
  readonly answer: { readonly file: { readonly id: FileId; readonly url: string }; readonly error: { code: string } };
}

async function upload(web: WebUnderTest, path: string, body: Uint8Array, query = ''): Promise<Uploaded> {
  const headers = { 'content-type': 'application/octet-stream' };
  const url = `http://h/api/v1/chat/messages/${path.replace('/', '/files/')}${query}`;
  const response = await web.page(new Request(url, { method: 'PUT', headers, body: new Uint8Array(body) }));
  return { status: response?.status ?? 0, answer: await response?.json() };
}

/** A file that a run has made for somebody in a chat. */
async function made(web: WebUnderTest, name: string, mime: string, chat = 'owner'): Promise<FileRef> {
  const owner = imUserKey({ channelType: 'web', tenant: '', user: 'owner' });
  const place = { thread: newThreadId(), channel: 'web', chat, owner, direction: 'out', createdAt: 0 } as const;
  const kind = mime.startsWith('image/') ? 'image' : 'file';
  const { id, bytes } = await web.store.files.put({ id: newFileId(), kind, name, mime, ...place }, PNG);
  return { id, kind, name, mime, bytes };
}

test('a file that is uploaded comes with its message, and lies where workers look for it', async (t) => {
  const web = await webForTests(t);
  const { status, answer } = await upload(web, 'message-1/ref-1', PNG, '?name=..%2Fcat.png&mime=image/png');
  assert.equal(status, 201);
  const response = await web.post({ id: 'message-1', text: '', files: ['ref-1'] });
  assert.equal(response.status, 202);
  const [message] = web.accepted;
  const [file] = message?.files ?? [];
  assert.ok(message !== undefined && file !== undefined);
  assert.deepEqual(file, { id: 'message-1/ref-1', kind: 'image', name: 'cat.png', mime: 'image/png', bytes: 8 });
  assert.equal(fileIdIn(message, file), answer.file.id);
  assert.deepEqual(Buffer.from((await web.store.files.read(answer.file.id)) ?? []), PNG);
  const { messages } = await web.history();
  assert.partialDeepStrictEqual(messages, [{ markdown: '', html: '', files: [{ name: 'cat.png', image: true }] }]);

  const signal = new AbortController().signal;
  const fetched = await web.adapter.fetchFile?.(file, { maxBytes: 100, signal });
  assert.deepEqual(Buffer.from(fetched?.content ?? []), PNG);
  await assert.rejects(async () => web.adapter.fetchFile?.(file, { maxBytes: 3, signal }), { code: 'too_large' });
  const other = { ...file, id: 'message-2/ref-1' };
  await assert.rejects(async () => web.adapter.fetchFile?.(other, { maxBytes: 100, signal }), { code: 'not_found' });
});

test('a post that is repeated keeps the files of the first', async (t) => {
  const web = await webForTests(t);
  for (const ref of ['a', 'b']) await upload(web, `message-1/${ref}`, PNG, `?name=${ref}.png`);
  await web.post({ id: 'message-1', text: 'x', files: ['a'] });
  await web.post({ id: 'message-1', text: 'x', files: ['a', 'b'] });
  assert.deepEqual(
    web.accepted.map(({ files }) => files.map(({ name }) => name)),
    [['a.png'], ['a.png']],
  );
});

test('an upload that is repeated stays the first one', async (t) => {
  const web = await webForTests(t);
  const first = await upload(web, 'message-1/a', PNG, '?name=a.png');
  const again = await upload(web, 'message-1/a', Buffer.from('other'), '?name=b.txt');
  assert.deepEqual(again.answer, first.answer);
});

test('bad uploads and posts of what was not uploaded are refused', async (t) => {
  const web = await webForTests(t);
  assert.equal((await upload(web, 'message-1/a', Buffer.alloc(0))).answer.error.code, 'bad_input');
  assert.equal((await upload(web, 'message-1/a', Buffer.alloc(1_000_001))).status, 413);
  const paths = ['short/a', 'message-1/..', `message-1/${'x'.repeat(65)}`, 'message-1/a%2fb'];
  for (const path of paths) {
    const at = `http://h/api/v1/chat/messages/${path.replace('/', '/files/')}`;
    const request = new Request(at, { method: 'PUT', body: 'x' });
    assert.equal(await web.page(request), null, path);
  }
  await upload(web, 'message-1/a', PNG);
  for (const files of [['b'], ['a', 'b'], ['../a'], Array.from({ length: 11 }, () => 'a'), 'a'])
    assert.equal((await web.post({ id: 'message-1', text: 'x', files })).status, 400, String(files));
  assert.equal((await web.post({ id: 'message-2', text: 'x', files: ['a'] })).status, 400, 'of another message');
  assert.equal(web.accepted.length, 0);
});

test('pictures are shown, everything else is handed over to be saved, and nothing runs', async (t) => {
  const web = await webForTests(t);
  const table = [
    ['cat.png', 'image/png', 'image/png', /^inline; filename="cat\.png"/],
    ['x.svg', 'image/svg+xml', 'application/octet-stream', /^attachment; filename="x\.svg"/],
    [
      '页"面\r\n.html',
      'text/html',
      'application/octet-stream',
      /^attachment; filename="__+\.html"; filename\*=UTF-8''%E9/,
    ],
  ] as const;
  for (const [name, mime, type, disposition] of table) {
    const { id } = await made(web, name, mime);
    const response = await web.get(`/api/v1/chat/files/${id}`);
    assert.equal(response?.headers.get('content-type'), type);
    assert.match(response.headers.get('content-disposition') ?? '', disposition);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.match(response.headers.get('content-security-policy') ?? '', /sandbox/);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), PNG);
  }
});

test('files of other chats and channels are not handed out', async (t) => {
  const web = await webForTests(t);
  const { id } = await made(web, 'secret.png', 'image/png', 'somebody-else');
  assert.equal((await web.get(`/api/v1/chat/files/${id}`))?.status, 404);
  assert.equal((await web.get(`/api/v1/chat/files/${newFileId()}`))?.status, 404);
  assert.equal(await web.get('/api/v1/chat/files/..%2f..%2fetc'), null);
});

test('a file of the bot is a message of its own, once, however often it is sent', async (t) => {
  const web = await webForTests(t);
  const file = await made(web, 'report.md', 'text/markdown');
  const send = () => web.adapter.sendFile?.(target, { ...file, content: PNG }, 'Here', { key: 't:1:f0' });
  assert.deepEqual(await send(), await send());
  const { messages } = await web.history();
  assert.partialDeepStrictEqual(messages, [
    { author: 'bot', markdown: 'Here', files: [{ name: 'report.md', image: false }] },
  ]);
  assert.equal(messages.length, 1);
});
