import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, test } from 'node:test';
import type { FileId } from '../../src/base/ids.ts';
import type { OutgoingFile } from '../../src/channel/port.ts';
import { FILE_UPLOAD_MAX_BYTES, PHOTO_UPLOAD_MAX_BYTES } from './limits.ts';
import { startRig } from './testing/rig.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function rig() {
  const made = await startRig();
  closers.push(made.stop);
  const { telegram, adapter, direct, target } = made;
  const send = async (
    file: OutgoingFile,
    caption = '',
    to: Parameters<NonNullable<typeof adapter.sendFile>>[0] = target,
  ) => {
    const sent = await adapter.sendFile?.(to, file, caption, { key: 'k' });
    return sent?.id;
  };
  const shown = () => telegram.visible(direct);
  return { ...made, send, shown };
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function file(kind: OutgoingFile['kind'], mime: string, content: Uint8Array = PNG, name = 'file.bin'): OutgoingFile {
  return { id: 'f_1' as FileId, kind, name, mime, bytes: content.byteLength, content };
}

/** A PNG as far as its head; `width` and `height` are what it says it is. */
function png(width: number, height: number, bytes = PNG.length): Uint8Array {
  const picture = Buffer.concat([PNG, Buffer.alloc(Math.max(0, bytes - PNG.length))]);
  picture.writeUInt32BE(width, 16);
  picture.writeUInt32BE(height, 20);
  return picture;
}

test('a file is sent as what people see most of', async () => {
  const { send, shown } = await rig();
  const table: [OutgoingFile, string][] = [
    [file('image', 'image/png'), 'photo'],
    [file('image', 'image/gif'), 'animation'],
    [file('image', 'image/svg+xml'), 'document'],
    [file('image', 'image/png', png(1, 1, PHOTO_UPLOAD_MAX_BYTES + 1)), 'document'],
    [file('video', 'video/mp4'), 'video'],
    [file('video', 'video/x-matroska'), 'document'],
    [file('audio', 'audio/mpeg; charset=x'), 'audio'],
    [file('audio', 'audio/flac'), 'document'],
    [file('voice', 'audio/ogg'), 'voice'],
    [file('file', 'image/png'), 'document'],
  ];
  for (const [one, kind] of table) {
    await send(one);
    assert.equal(shown().at(-1)?.media?.kind, kind, `${one.kind} ${one.mime}`);
  }
});

test('the name under which a file goes out leads nowhere and hides nothing', async () => {
  const { send, shown } = await rig();
  const table: [string, string][] = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\a.pdf', 'a.pdf'],
    ['a\r\nX-Y: z\u0000"x".pdf', 'a X-Y_ z _x_.pdf'],
    ['invoice\u202efdp.exe', 'invoice fdp.exe'],
    ['.bashrc', 'bashrc'],
    ['/', 'document'],
    ['谢谢.pdf', '谢谢.pdf'],
    [`${'名'.repeat(400)}.pdf`, `${'名'.repeat(78)}.pdf`],
  ];
  for (const [name, expected] of table) {
    await send(file('file', 'application/pdf', PNG, name));
    const document = shown().at(-1)?.media?.fields.document as { readonly file_name: string };
    assert.equal(document.file_name, expected, name);
  }
});

test('a picture that Telegram makes no photo of, and a voice message that nobody takes, come as documents', async () => {
  const { telegram, send, shown } = await rig();
  for (const content of [png(9_000, 2_000), png(2_100, 100), Buffer.from('no picture')]) {
    await send(file('image', 'image/png', content), 'see');
    assert.equal(shown().at(-1)?.media?.kind, 'document');
    assert.equal(shown().at(-1)?.content.text, 'see');
  }
  telegram.faults.plan('sendVoice', {
    kind: 'refuse',
    code: 400,
    description: 'Bad Request: VOICE_MESSAGES_FORBIDDEN',
  });
  await send(file('voice', 'audio/ogg'));
  assert.equal(shown().at(-1)?.media?.kind, 'document');
});

test('beside a file the reply, the topic, the caption and its formatting are kept', async () => {
  const { telegram, adapter, ann, bot, inbox, shown, send } = await rig();
  await adapter.start();
  const forum = telegram.addGroup({ title: 'Forum', forum: true, members: [ann, bot] });
  const topic = telegram.people.openTopic(ann, forum, 'Plans');
  const asked = telegram.people.say(ann, forum, '/chart', { topic });
  const { id: replyTo } = await inbox.next();
  const target = { chat: String(forum.id), chatKind: 'group', topic: String(topic.id), replyTo } as const;
  const id = await send(file('image', 'image/png', PNG, '周报 "1".png'), `**Here**, [Ann](mention:${ann.id})`, target);
  const sent = telegram.visible(forum).at(-1);
  assert.deepEqual([String(sent?.id), sent?.replyTo, sent?.topic?.id], [id, asked, topic.id]);
  assert.equal(sent?.content.text, 'Here, Ann');
  assert.deepEqual(
    sent?.content.entities.map(({ type }) => type),
    ['bold', 'text_mention'],
  );
  await send(file('file', 'text/plain', PNG, 'a.txt'));
  const document = shown().at(-1)?.media?.fields.document as { file_name: string };
  assert.equal(document.file_name, 'a.txt');
});

test('a caption that is too long stands before the file, and is not said again when only the file failed', async () => {
  const { telegram, send, shown } = await rig();
  const texts = () => shown().map(({ content, media }) => [content.text.length, media?.kind]);
  await send(file('image', 'image/png'), 'a'.repeat(1_024));
  assert.deepEqual(texts(), [[1_024, 'photo']]);
  const long = `${'word '.repeat(1_600)}end`;
  telegram.faults.plan('sendPhoto', { kind: 'raw', status: 502, body: '<html>' });
  await assert.rejects(send(file('image', 'image/png'), long), { code: 'unavailable' });
  await send(file('image', 'image/png'), long);
  const [, first, second, picture, ...rest] = shown();
  assert.deepEqual([picture?.media?.kind, picture?.content.text, rest.length], ['photo', '', 0]);
  assert.equal([first, second].map((message) => message?.content.text).join(' '), long);
});

test('a file that is too large is not even sent', async () => {
  const { telegram, send } = await rig();
  const large = file('file', 'application/zip', new Uint8Array(FILE_UPLOAD_MAX_BYTES + 1));
  await assert.rejects(send(large), { code: 'too_large' });
  assert.equal(telegram.calls.list('sendDocument').length, 0);
});

test('an upload that fails says what is known: not sent, refused, or nobody knows', async () => {
  const { telegram, send, adapter, target, direct } = await rig();
  const codes: [Parameters<typeof telegram.faults.plan>[1], string][] = [
    [{ kind: 'drop', processed: true }, 'uncertain'],
    [{ kind: 'raw', status: 200, body: '<html>' }, 'uncertain'],
    [{ kind: 'raw', status: 413, body: '<html>' }, 'uncertain'],
    [{ kind: 'refuse', code: 413, description: 'Request Entity Too Large' }, 'too_large'],
    [{ kind: 'refuse', code: 429, retryAfter: 3 }, 'rate_limited'],
    [
      { kind: 'refuse', code: 400, description: 'Bad Request: not enough rights to send documents to the chat' },
      'forbidden',
    ],
  ];
  for (const [fault, code] of codes) {
    telegram.faults.plan('sendDocument', fault);
    await assert.rejects(send(file('file', 'text/plain')), { code });
  }
  telegram.faults.plan('sendDocument', { kind: 'hang' });
  const options = { key: 'k', signal: AbortSignal.timeout(50) };
  const half = file('file', 'text/plain', new Uint8Array(8 * 1024 * 1024).fill(1));
  await assert.rejects(async () => adapter.sendFile?.(target, half, '', options), { code: 'uncertain' });
  // Under load the signal comes before the whole body has, and the server before it hangs.
  telegram.faults.clear('sendDocument');
  telegram.people.block(direct);
  await assert.rejects(send(file('file', 'text/plain')), { code: 'target_gone' });
});

test('a connection that is cut in the middle of an upload is an error like any other', async () => {
  const cutter = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.destroy());
  });
  await new Promise<void>((resolve) => cutter.listen(0, '127.0.0.1', resolve));
  closers.push(async () => void cutter.close());
  const { port } = cutter.address() as AddressInfo;
  const { adapter, target, stop } = await startRig({ config: { api_root: `http://127.0.0.1:${port}` } });
  closers.push(stop);
  const large = file('file', 'text/plain', new Uint8Array(8 * 1024 * 1024).fill(1));
  await assert.rejects(async () => adapter.sendFile?.(target, large, '', { key: 'k' }), { code: 'uncertain' });
});

test('a file follows a group that became a supergroup', async () => {
  const { telegram, ann, bot, send } = await rig();
  const group = telegram.addGroup({ title: 'Team', kind: 'group', members: [ann, bot] });
  const supergroup = telegram.people.migrate(ann, group);
  const target = { chat: String(group.id), chatKind: 'group', replyTo: '1' } as const;
  await send(file('file', 'text/plain'), 'one', target);
  await send(file('file', 'text/plain'), 'two', target);
  assert.deepEqual(
    telegram.visible(supergroup).flatMap(({ content }) => (content.text === '' ? [] : [content.text])),
    ['one', 'two'],
  );
  // The second one knows where the group is.
  assert.equal(telegram.calls.list('sendDocument').length, 3);
});

test('the caption of a file that was sent can be edited', async () => {
  const { adapter, send, shown, target } = await rig();
  const id = (await send(file('image', 'image/png'), 'one')) ?? '';
  for (const markdown of ['two **2**', 'two **2**']) await adapter.edit?.(target, id, { markdown }, { key: 'e' });
  assert.equal(shown().at(-1)?.content.text, 'two 2');
  await adapter.edit?.(target, id, { markdown: 'x'.repeat(2_000) }, { key: 'e' });
  assert.equal(shown().at(-1)?.content.text.length, 1_024);
});
