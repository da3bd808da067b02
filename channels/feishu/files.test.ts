import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { FileId } from '../../src/base/ids.ts';
import type { InboundFile } from '../../src/channel/message.ts';
import type { OutgoingFile, Target } from '../../src/channel/port.ts';
import { ogg, PNG } from './fixtures/media.ts';
import { parseResourceId } from './resource.ts';
import { type RigOptions, startRig } from './testing/rig.ts';

const rigs: Awaited<ReturnType<typeof startRig>>[] = [];
async function rig(options: RigOptions = {}) {
  const made = await startRig(options);
  rigs.push(made);
  const fetchFile = (file: Pick<InboundFile, 'id'>, maxBytes = 1_000, signal = new AbortController().signal) =>
    made.adapter.fetchFile?.({ kind: 'file', name: 'x', ...file }, { maxBytes, signal }) ?? assert.fail();
  const sendFile = (file: Partial<OutgoingFile>, caption = '', more: object = {}, target: Target = made.target) => {
    const content = file.content ?? Buffer.from('some bytes');
    const whole = { id: 'f' as FileId, kind: 'file', name: 'a.txt', mime: 'text/plain', bytes: 10, ...file, content };
    return made.adapter.sendFile?.(target, whole as OutgoingFile, caption, { key: 'k', ...more }) ?? assert.fail();
  };
  return { ...made, fetchFile, sendFile };
}
afterEach(async () => {
  for (const made of rigs.splice(0)) await made.stop();
});

const RESOURCE = 'GET /im/v1/messages/:id/resources/:id';

test('what came with a message is fetched by any replica, with the name it has now', async () => {
  const { feishu, adapter, replica, inbox, ann, direct } = await rig();
  await adapter.start();
  const bytes = Buffer.from('%PDF');
  const key = feishu.addFile({ kind: 'file', name: '../周报 "1".pdf', bytes, mime: 'application/pdf' });
  feishu.people.send(ann, direct, 'file', { file_key: key, file_name: '周报.pdf' });
  const [file = assert.fail()] = (await inbox.next()).files;
  const other = await replica();
  const fetched = await other.fetchFile?.(file, { maxBytes: 4, signal: new AbortController().signal });
  await other.stop();
  assert.deepEqual(fetched, { content: bytes, name: '周报 _1_.pdf', mime: 'application/pdf' });
  const image = feishu.addFile({ kind: 'image', name: 'a.png', bytes: PNG });
  const rows = { content: [[{ tag: 'text', text: 'look' }], [{ tag: 'img', image_key: image }]] };
  feishu.people.send(ann, direct, 'post', rows);
  const [picture = assert.fail()] = (await inbox.next()).files;
  const read = await adapter.fetchFile?.(picture, { maxBytes: 1_000, signal: new AbortController().signal });
  assert.deepEqual(read?.content, PNG);
});

test('reading a file ends as soon as it is larger than wanted, whatever its size was said to be', async () => {
  const { feishu, fetchFile, ann, direct } = await rig({ feishu: { limits: { maxResourceBytes: 3_000 } } });
  const carry = (bytes: number) => {
    const key = feishu.addFile({ kind: 'file', name: 'a', bytes: Buffer.alloc(bytes) });
    return { id: `${feishu.people.send(ann, direct, 'file', { file_key: key }).id}/file/${key}` };
  };
  assert.equal((await fetchFile(carry(1_000))).content.byteLength, 1_000);
  await assert.rejects(fetchFile(carry(1_001)), { code: 'too_large' });
  await assert.rejects(fetchFile(carry(3_001), 5_000), { code: 'too_large' });
  const before = feishu.calls.list(RESOURCE).length;
  await assert.rejects(fetchFile({ ...carry(10), bytes: 2_000 } as InboundFile), { code: 'too_large' });
  assert.equal(feishu.calls.list(RESOURCE).length, before, 'a file that is known to be too large is not asked for');
});

for (const refusalStatus of [200, 400] as const) {
  test(`files that cannot be had say why, refusals coming with HTTP ${refusalStatus}`, async () => {
    const { feishu, fetchFile, ann, direct, app } = await rig({ feishu: { refusalStatus } });
    const json = Buffer.from('{"code": 7, "msg": "a file of JSON"}');
    const key = feishu.addFile({ kind: 'file', name: 'a.json', bytes: json, mime: 'application/json' });
    const message = feishu.people.send(ann, direct, 'file', { file_key: key });
    const file = { id: `${message.id}/file/${key}` };
    assert.deepEqual((await fetchFile(file)).content, json);
    const faults: [Parameters<typeof feishu.faults.plan>[1], string][] = [
      [{ kind: 'refuse', code: 234037 }, 'too_large'],
      [{ kind: 'refuse', code: 234043 }, 'unsupported'],
      [{ kind: 'refuse', code: 234038 }, 'forbidden'],
      [{ kind: 'refuse', code: 99991672 }, 'forbidden'],
      [{ kind: 'refuse', code: 99991400, status: 429, resetSeconds: 3 }, 'rate_limited'],
      [{ kind: 'raw', status: 502, body: '<html>' }, 'unavailable'],
      [{ kind: 'raw', status: 200, body: '<html>Please log in</html>' }, 'unavailable'],
      [{ kind: 'raw', status: 302, body: '' }, 'config_invalid'],
      [{ kind: 'drop', processed: false }, 'unavailable'],
    ];
    for (const [fault, code] of faults) {
      feishu.faults.plan(RESOURCE, fault);
      await assert.rejects(fetchFile(file), { code });
    }
    feishu.revokeTokens(app);
    assert.deepEqual((await fetchFile(file)).content, json);
    await assert.rejects(fetchFile({ id: `${message.id}/file/other` }), { code: 'not_found' });
    for (const id of ['', 'a', 'a/b/c', '../image/x']) await assert.rejects(fetchFile({ id }), { code: 'not_found' });
    feishu.people.recall(ann, message);
    await assert.rejects(fetchFile(file), { code: 'not_found' });
  });
}

test('fetching a file can be given up', async () => {
  const { feishu, fetchFile } = await rig();
  feishu.faults.plan(RESOURCE, { kind: 'hang' });
  const giveUp = new AbortController();
  const fetching = fetchFile({ id: 'om_1/file/f' }, 10, giveUp.signal);
  await feishu.calls.waitFor(RESOURCE, 1);
  giveUp.abort();
  await assert.rejects(fetching, { code: 'cancelled' });
});

test('the id of a file says where it lies', () => {
  assert.deepEqual(parseResourceId('om_1/image/img_v3_02-x'), { messageId: 'om_1', type: 'image', key: 'img_v3_02-x' });
});

test('files go out as what they are', async () => {
  const { feishu, sendFile, direct } = await rig();
  const table: [Partial<OutgoingFile>, string, string][] = [
    [{ kind: 'image', name: 'a.png', mime: 'image/png', content: PNG }, 'image', ''],
    [{ kind: 'image', name: 'a.svg', mime: 'image/svg+xml' }, 'file', 'stream'],
    [{ kind: 'image', name: 'broken.png', mime: 'image/png' }, 'file', 'stream'],
    [{ kind: 'voice', name: 'a.ogg', mime: 'audio/ogg', content: ogg(2_500) }, 'audio', 'opus'],
    [{ kind: 'audio', name: 'a.mp3', mime: 'audio/mpeg' }, 'file', 'stream'],
    [{ kind: 'video', name: 'a.mp4', mime: 'video/mp4' }, 'media', 'mp4'],
    [{ name: '周报 1.xlsx' }, 'file', 'xls'],
    [{ name: 'a.pdf' }, 'file', 'pdf'],
  ];
  for (const [index, [file, type, as]] of table.entries()) {
    await sendFile(file, '', { key: `${index}` });
    const sent = feishu.visible(direct).at(-1) ?? assert.fail();
    const stored = feishu.file(sent);
    assert.deepEqual([sent.type, stored?.name, stored?.type ?? ''], [type, file.name, as], file.name);
    assert.deepEqual(Buffer.from(stored?.bytes ?? []), Buffer.from(file.content ?? 'some bytes'));
  }
  const durations = feishu.calls.list('POST /im/v1/files').map(({ body }) => body.duration);
  assert.deepEqual(
    durations.filter((duration) => duration !== undefined),
    ['2500'],
  );
  assert.equal(feishu.visible(direct).length, table.length);
});

test('a file goes out under a name that leads nowhere, hides nothing and is not too long', async () => {
  const { feishu, sendFile, direct } = await rig();
  const picture = { kind: 'image', name: 'a', mime: 'image/png', content: PNG } as const;
  const table: [string, string][] = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\plans\\q3.pdf', 'q3.pdf'],
    ['invoice\u202efdp.exe', 'invoice fdp.exe'],
    ['a"\r\nx-evil: 1\0.txt', 'a_ x-evil_ 1 .txt'],
    ['/', 'file'],
    [`${'名'.repeat(500)}.csv`, `${'名'.repeat(78)}.csv`],
  ];
  for (const [index, [name, expected]] of table.entries()) {
    await sendFile({ name }, '', { key: `${index}` });
    assert.equal(feishu.file(feishu.visible(direct).at(-1) ?? assert.fail())?.name, expected);
  }
  await sendFile({ ...picture, name: '../\u202egnp.exe' }, '', { key: 'picture' });
  assert.equal(feishu.file(feishu.visible(direct).at(-1) ?? assert.fail())?.name, 'gnp.exe');
});

test('what is too large for a picture goes as a file, what is too large for a file not at all', async () => {
  const { feishu, sendFile, direct } = await rig();
  const picture = { kind: 'image', name: 'a.png', mime: 'image/png' } as const;
  await sendFile({ ...picture, content: Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)]) });
  assert.equal(feishu.visible(direct).at(-1)?.type, 'file');
  assert.equal(feishu.calls.list('POST /im/v1/images').length, 0);
  await assert.rejects(sendFile({ content: Buffer.alloc(30 * 1024 * 1024 + 1) }), { code: 'too_large' });
  await assert.rejects(sendFile({ content: Buffer.alloc(0) }), { code: 'unsupported' });
  assert.equal(feishu.visible(direct).length, 1);
});

test('a picture and its caption are one message; before any other file the caption is one of its own', async () => {
  const { feishu, sendFile, ann, group, direct, inGroup } = await rig();
  const picture = { kind: 'image', name: 'a.png', mime: 'image/png', content: PNG } as const;
  await sendFile(picture, 'The **chart**');
  const [shown = assert.fail()] = feishu.visible(direct);
  assert.deepEqual([shown.type, feishu.text(shown)], ['post', '[img]\nThe chart']);
  await sendFile(picture, 'plainly', { key: '2', plain: true });
  assert.deepEqual(
    feishu
      .visible(direct)
      .slice(1)
      .map(({ type }) => type),
    ['text', 'image'],
  );
  await sendFile(picture, '长'.repeat(20_000), { key: '3' });
  assert.deepEqual(
    feishu
      .visible(direct)
      .slice(3)
      .map(({ type }) => type),
    ['text', 'image'],
  );
  const question = feishu.people.say(ann, group, '@Antler the report?', { inThread: true });
  const target = { ...inGroup, replyTo: question.id };
  await sendFile({ name: 'a.pdf' }, 'Here it is', { key: '4' }, target);
  const [, caption = assert.fail(), file = assert.fail()] = feishu.visible(group);
  assert.deepEqual([feishu.text(caption), caption.parentId], ['Here it is', question.id]);
  assert.deepEqual([file.type, file.parentId], ['file', undefined]);
});

test('in a topic, caption and file both stay in it', async () => {
  const { feishu, sendFile, app, ann } = await rig();
  const forum = feishu.addGroup({ title: 'Forum', users: [ann], apps: [app], topics: true });
  const question = feishu.people.say(ann, forum, '@Antler the report?');
  const target = { chat: forum.id, chatKind: 'group' as const, topic: question.threadId ?? '', replyTo: question.id };
  await sendFile({ name: 'a.pdf' }, 'Here it is', {}, target);
  assert.deepEqual(
    feishu.visible(forum).map(({ type, threadId }) => [type, threadId]),
    ['text', 'text', 'file'].map((type) => [type, question.threadId]),
  );
});

test('a file whose answer was lost is sent once, its caption too', async () => {
  const { feishu, sendFile, direct } = await rig();
  feishu.faults.plan('POST /im/v1/files', { kind: 'drop', processed: true });
  await assert.rejects(sendFile({}, 'caption'), { code: 'unavailable', retryable: true });
  feishu.faults.plan('POST /im/v1/messages', { kind: 'drop', processed: true });
  await assert.rejects(sendFile({}, 'caption'), { code: 'uncertain' });
  await sendFile({}, 'caption');
  await sendFile({}, 'caption');
  assert.deepEqual(
    feishu.visible(direct).map(({ type }) => type),
    ['text', 'file'],
  );
});
