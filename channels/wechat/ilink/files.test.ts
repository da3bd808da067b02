import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { FileId } from '../../../src/base/ids.ts';
import type { InboundFile } from '../../../src/channel/message.ts';
import type { OutgoingFile } from '../../../src/channel/port.ts';
import { decrypt, encrypt, encryptedSize } from './cdn.ts';
import { readFileId, writeFileId } from './file-id.ts';
import { trusted } from './hosts.ts';
import { startRig } from './testing/rig.ts';

async function spokenTo(t: TestContext, options: Parameters<typeof startRig>[0] = {}) {
  const rig = await startRig(options);
  t.after(rig.stop);
  await rig.adapter.start();
  const self = await rig.bot();
  rig.wechat.people.say(rig.ann, self, 'hello');
  await rig.inbox.next();
  const fetched = (file: InboundFile | undefined, maxBytes = 1_000_000) => {
    assert.ok(file !== undefined && rig.adapter.fetchFile !== undefined);
    return rig.adapter.fetchFile(file, { maxBytes, signal: AbortSignal.timeout(10_000) });
  };
  return { ...rig, self, fetched, chat: rig.wechat.chatOf(rig.ann, self) };
}

const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, (_, index) => index % 251));
const outgoing = (more: Partial<OutgoingFile>): OutgoingFile => {
  const content = more.content ?? bytes(1_000);
  return {
    id: 'f_1' as FileId,
    kind: 'file',
    name: 'a.txt',
    mime: 'text/plain',
    bytes: content.length,
    content,
    ...more,
  };
};

test('what is encrypted comes back whole and is as long as was announced', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ minLength: 16, maxLength: 16 }), (content, key) => {
      const sealed = encrypt(content, key);
      assert.equal(sealed.length, encryptedSize(content.length));
      assert.deepEqual(decrypt(sealed, key), Buffer.from(content));
    }),
  );
});

test('ids of files survive their way through JSON, and nonsense is no id', () => {
  for (const source of [{ param: 'p' }, { url: 'https://x', key: '0'.repeat(32) }, {}])
    assert.deepEqual(readFileId(writeFileId(source)), source);
  for (const id of ['', 'x', '{"key":"short"}', '[]', 'null', '{"param":7}']) assert.equal(readFileId(id), null, id);
});

test('only WeChat’s own hosts and the configured one may be followed', () => {
  const home = 'https://ilinkai.weixin.qq.com';
  for (const good of [home, 'https://sz.weixin.qq.com/x', 'https://novac2c.cdn.weixin.qq.com/c2c?a=b'])
    assert.equal(trusted(good, home), good);
  for (const bad of [
    'http://ilinkai.weixin.qq.com',
    'https://weixin.qq.com.evil.example',
    'https://evilweixin.qq.com',
    'https://weixin.qq.com@evil.example',
    'https://user:pass@ilinkai.weixin.qq.com',
    'https://ilinkai.weixin.qq.com:444@evil.example',
    'https://sz.weixin.qq.com:8443',
    'https://127.0.0.1',
    'ftp://ilinkai.weixin.qq.com',
    'file:///etc/passwd',
    '//evil.example',
    '',
  ])
    assert.equal(trusted(bad, home), null, bad);
  assert.equal(trusted('http://127.0.0.1:9/c2c', 'http://127.0.0.1:8'), 'http://127.0.0.1:9/c2c');
  assert.equal(trusted('https://127.0.0.1:9', 'http://127.0.0.1:8'), null);
});

test('files of every kind come in whole, however their key is spelt and their address is told', async (t) => {
  const { wechat, ann, self, inbox, fetched } = await spokenTo(t);
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), bytes(40)]);
  for (const [kind, key, fullUrl] of [
    ['image', 'hex', false],
    ['image', 'base64-raw', true],
    ['image', 'none', false],
    ['file', 'base64-hex', false],
    ['file', 'base64-raw', true],
    ['voice', 'base64-hex', false],
    ['video', 'base64-hex', false],
  ] as const) {
    const content = kind === 'image' ? png : bytes(777);
    wechat.people.say(ann, self, '', { file: { kind, name: 'x.dat', content, key, fullUrl } });
    const [file] = (await inbox.next()).files;
    assert.equal(file?.kind, kind);
    const found = await fetched(file);
    assert.deepEqual(Buffer.from(found.content), content, `${kind} ${key}`);
    if (kind === 'image') assert.deepEqual([found.mime, found.name?.endsWith('.png')], ['image/png', true]);
  }
});

test('a voice that WeChat has understood is its words', async (t) => {
  const { wechat, ann, self, inbox } = await spokenTo(t);
  wechat.people.say(ann, self, '', { file: { kind: 'voice', name: 'v', content: bytes(9), transcript: '你好' } });
  const message = await inbox.next();
  assert.deepEqual([message.text, message.files], ['你好', []]);
});

test('a file that is gone, cut off, too large or elsewhere says so', async (t) => {
  const { wechat, ann, self, inbox, fetched } = await spokenTo(t);
  wechat.people.say(ann, self, '', { file: { kind: 'file', name: 'a.bin', content: bytes(100) } });
  const [file] = (await inbox.next()).files;
  assert.ok(file !== undefined);
  assert.equal((await fetched(file, 100)).content.length, 100);
  await assert.rejects(fetched(file, 99), { code: 'too_large' });
  await assert.rejects(fetched(file, 10), { code: 'too_large' });
  wechat.faults.plan('download', { kind: 'raw', status: 200, body: 'x'.repeat(33) });
  await assert.rejects(fetched(file), { code: 'not_found', message: /cut off/ });
  wechat.faults.plan('download', { kind: 'raw', status: 503, body: '' });
  await assert.rejects(fetched(file), { code: 'unavailable', retryable: true });
  wechat.faults.plan('download', { kind: 'raw', status: 200, body: '<html>Log in to the network</html>' });
  await assert.rejects(fetched(file), { code: 'unavailable', retryable: true, message: /page/ });
  wechat.faults.plan('download', { kind: 'drop', processed: false });
  await assert.rejects(fetched(file), { code: 'unavailable' });
  wechat.faults.plan('download', { kind: 'raw', status: 302, body: '' });
  await assert.rejects(fetched(file), { code: 'not_found' });
  wechat.files.forgetAll();
  await assert.rejects(fetched(file), { code: 'not_found', message: /any more/ });
  const foreign = { ...file, id: writeFileId({ url: 'http://169.254.169.254/latest/meta-data' }) };
  await assert.rejects(fetched(foreign), { code: 'forbidden', message: /foreign host/ });
});

test('a download can be given up', async (t) => {
  const { wechat, ann, self, inbox, adapter } = await spokenTo(t);
  wechat.people.say(ann, self, '', { file: { kind: 'file', name: 'a.bin', content: bytes(100) } });
  const [file] = (await inbox.next()).files;
  assert.ok(file !== undefined && adapter.fetchFile !== undefined);
  wechat.faults.plan('download', { kind: 'hang' });
  const over = new AbortController();
  const fetching = adapter.fetchFile(file, { maxBytes: 1_000, signal: over.signal });
  await wechat.calls.waitFor('download', 1);
  over.abort();
  await assert.rejects(fetching, { code: 'cancelled' });
});

test('pictures and videos are shown in the chat, other files as files with their names; captions go first', async (t) => {
  const { adapter, target, chat } = await spokenTo(t);
  const send = (file: Partial<OutgoingFile>, caption = '') =>
    adapter.sendFile?.(target, outgoing(file), caption, { key: `k${file.name}` });
  await send({ name: 'a.png', mime: 'image/png' }, 'A **picture**');
  await send({ name: 'b.mp4', mime: 'video/mp4' });
  await send({ name: '报告.pdf', mime: 'application/pdf' });
  await send({ name: 'c.svg', mime: 'image/svg+xml' });
  const shown = chat.messages.filter(({ fromBot }) => fromBot);
  assert.deepEqual(
    shown.map(({ text, file }) => file?.kind ?? text),
    ['A picture', 'image', 'video', 'file', 'file'],
  );
  assert.deepEqual(shown.map(({ file }) => file?.name).slice(3), ['报告.pdf', 'c.svg']);
  for (const { file } of shown.slice(1)) assert.deepEqual(Buffer.from(file?.content ?? []), bytes(1_000));
});

test('a file whose way breaks off half-way is sent once when it is tried again', async (t) => {
  const { wechat, adapter, target, chat } = await spokenTo(t);
  const send = () => adapter.sendFile?.(target, outgoing({}), 'Here', { key: 'k' });
  wechat.faults.plan('upload', { kind: 'raw', status: 500, body: '' });
  await assert.rejects(async () => send(), { code: 'unavailable', retryable: true });
  wechat.faults.plan('getuploadurl', { kind: 'refuse', ret: -2 });
  await assert.rejects(async () => send(), { code: 'rate_limited' });
  wechat.faults.plan('getuploadurl', { kind: 'raw', status: 200, body: '{"ret":0}' });
  await assert.rejects(async () => send(), { code: 'unavailable', message: /where the file goes/ });
  wechat.faults.plan('getuploadurl', { kind: 'raw', status: 200, body: '{"upload_full_url":"https://evil.example/"}' });
  await assert.rejects(async () => send(), { code: 'forbidden' });
  wechat.faults.plan('upload', { kind: 'raw', status: 400, body: '' });
  await assert.rejects(async () => send(), { code: 'unsupported' });
  await send();
  assert.deepEqual(
    chat.messages.filter(({ fromBot }) => fromBot).map(({ text, file }) => file?.name ?? text),
    ['Here', 'a.txt'],
  );
});

test('before anything goes up it is known whether it can be sent; a login of another replica counts at once', async (t) => {
  const { wechat, adapter, target, ann, bo, memory, chat } = await spokenTo(t);
  const send = async (to: typeof target, key: string) => adapter.sendFile?.(to, outgoing({}), '', { key });
  await assert.rejects(send({ chat: bo.id, chatKind: 'dm' }, 'a'), { code: 'forbidden' });
  assert.equal(wechat.calls.list('upload').length, 0);
  wechat.logins.auto = undefined;
  const { token } = wechat.logins.confirm(wechat.logins.issue([]), ann);
  const kept = JSON.parse(memory.get('secret/login') ?? '{}');
  memory.set('secret/login', JSON.stringify({ ...kept, token }));
  await send(target, 'b').catch(() => send(target, 'b'));
  assert.deepEqual(
    chat.messages.flatMap(({ file }) => file?.name ?? []),
    ['a.txt'],
  );
});
