import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import type { FileId } from '../../src/base/ids.ts';
import type { InboundFile } from '../../src/channel/message.ts';
import type { OutgoingFile } from '../../src/channel/port.ts';
import type { StoredFile } from '../../src/simulator/slack/index.ts';
import { type RigOptions, startRig, threadBelow } from './testing/rig.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const BYTES = new TextEncoder().encode('a,b\n1,2\n');
const signal = (): AbortSignal => AbortSignal.timeout(10_000);

async function rig(options?: RigOptions) {
  const made = await startRig(options);
  closers.push(made.stop);
  const { adapter, slack, ann, dm, inbox } = made;
  const fetchFile = (file: Pick<InboundFile, 'id'>, maxBytes = 1_000_000) => {
    const named: InboundFile = { kind: 'file', name: 'x', ...file };
    return adapter.fetchFile?.(named, { maxBytes, signal: signal() }) ?? assert.fail('fetches no files');
  };
  /** Puts a file into the workspace. */
  const store = (extra: Partial<StoredFile> = {}): StoredFile =>
    slack.addFile({ name: 'table.csv', mimetype: 'text/csv', bytes: BYTES, by: ann, ...extra });
  /** Sends a file to the bot; resolves with what the bot was told of it. */
  const shared = async (file: StoredFile): Promise<InboundFile> => {
    await adapter.start();
    slack.people.say(ann, dm, 'here', { files: [file] });
    return (await inbox.next()).files[0] ?? assert.fail('no file came');
  };
  return { ...made, fetchFile, store, shared };
}

/** Somebody else's server: what it is asked with, and an answer for everybody. */
async function stranger(body: string, type: string) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(200, { 'content-type': type }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test('a file is fetched by its id, in any process, and no more of it than asked for', async () => {
  const { fetchFile, store, shared, replica } = await rig();
  const file = await shared(store());
  assert.deepEqual([file.name, file.mime, file.bytes], ['table.csv', 'text/csv', BYTES.length]);
  const { content, ...told } = await fetchFile(file);
  assert.deepEqual([Buffer.from(content).toString(), told], ['a,b\n1,2\n', { name: 'table.csv', mime: 'text/csv' }]);
  await assert.rejects(fetchFile(file, 3), { code: 'too_large' });
  const other = await replica();
  assert.equal((await other.fetchFile?.(file, { maxBytes: 99, signal: signal() }))?.content.length, BYTES.length);
  const lying = store({ extra: { size: 1 } });
  await assert.rejects(fetchFile(lying, 3), { code: 'too_large' });
});

test('a file that another organisation shares is named once it is looked at', async () => {
  const { fetchFile, store, shared } = await rig();
  const file = await shared(store({ extra: { file_access: 'check_file_info' } }));
  assert.deepEqual([file.name, file.mime], [file.id, undefined]);
  const { content, name, mime } = await fetchFile(file);
  assert.deepEqual([content.length, name, mime], [BYTES.length, 'table.csv', 'text/csv']);
});

test('a sign-in page is never taken for the file', async () => {
  const { fetchFile, store, slack } = await rig();
  const file = store();
  const page = '<!DOCTYPE html><html><head><title>Sign in | Slack</title></head></html>';
  const answers: Parameters<typeof slack.faults.plan>[1][] = [
    { kind: 'raw', status: 200, body: page, contentType: 'text/html; charset=utf-8' },
    { kind: 'redirect', to: '/?redir=%2Ffiles-pri%2Fx' },
    { kind: 'redirect', to: '/workspace-signin' },
    { kind: 'raw', status: 403, body: '' },
  ];
  for (const answer of answers) {
    slack.faults.plan('download', answer);
    await assert.rejects(fetchFile(file), { code: 'forbidden', message: /files:read/ }, JSON.stringify(answer));
  }
  const report = store({ name: 'report.html', mimetype: 'text/html', bytes: new TextEncoder().encode('<p>Slack</p>') });
  assert.equal((await fetchFile(report)).mime, 'text/html');
  slack.faults.plan('download', { kind: 'raw', status: 200, body: page });
  await assert.rejects(fetchFile(report), { code: 'forbidden' });
  const poor = await rig({ scopes: ['chat:write', 'im:history', 'app_mentions:read'] });
  await assert.rejects(poor.fetchFile(poor.store()), { code: 'forbidden', message: /files:read/ });
});

test('the token goes to Slack’s own hosts only, wherever an address or a redirect leads', async () => {
  const { fetchFile, store, slack, app } = await rig();
  const elsewhere = await stranger('bytes of theirs', 'text/csv');
  await assert.rejects(fetchFile(store({ extra: { url_private_download: elsewhere.url } })), { code: 'unsupported' });
  await assert.rejects(fetchFile(store({ extra: { url_private_download: 'file:///etc/passwd' } })), {
    code: 'unsupported',
  });
  assert.deepEqual(elsewhere.asked, []);
  const file = store();
  slack.faults.plan('download', { kind: 'redirect', to: elsewhere.url });
  assert.equal(Buffer.from((await fetchFile(file)).content).toString(), 'bytes of theirs');
  assert.deepEqual(elsewhere.asked, [undefined]);
  slack.faults.plan('download', { kind: 'redirect', to: `/files-pri/${file.id}/again` });
  assert.equal((await fetchFile(file)).content.length, BYTES.length);
  slack.faults.plan('download', { kind: 'redirect', to: `/files-pri/${file.id}/round` }, 9);
  await assert.rejects(fetchFile(file), { code: 'unavailable' });
  slack.faults.clear();
  slack.faults.plan('download', { kind: 'redirect', to: 'ftp://h/' });
  await assert.rejects(fetchFile(file), { code: 'unavailable' });
  const authorized = slack.calls.list('download').map(({ params }) => params.authorization);
  assert.deepEqual(new Set(authorized), new Set([`Bearer ${app.botToken}`]));
});

test('files may lie at a host of their own, which the settings name', async () => {
  const elsewhere = await stranger('a,b', 'text/csv');
  const { fetchFile, store, app } = await rig({ config: { files_host: new URL(elsewhere.url).host } });
  await fetchFile(store({ extra: { url_private_download: elsewhere.url } }));
  assert.deepEqual(elsewhere.asked, [`Bearer ${app.botToken}`]);
});

test('what has no bytes says why', async () => {
  const { fetchFile, store, slack } = await rig();
  const table: [Partial<StoredFile>, string][] = [
    [{ extra: { mode: 'tombstone' } }, 'not_found'],
    [{ extra: { mode: 'hidden_by_limit' } }, 'not_found'],
    [{ extra: { mode: 'external', is_external: true, url_private: 'https://docs.example/1' } }, 'unsupported'],
    [{ extra: { url_private: null, url_private_download: null } }, 'not_found'],
  ];
  for (const [extra, code] of table) await assert.rejects(fetchFile(store(extra)), { code }, JSON.stringify(extra));
  await assert.rejects(fetchFile({ id: 'F404' }), { code: 'not_found' });
  const file = store();
  slack.faults.plan('download', { kind: 'raw', status: 404, body: '' });
  await assert.rejects(fetchFile(file), { code: 'not_found' });
  slack.faults.plan('download', { kind: 'raw', status: 502, body: '' });
  await assert.rejects(fetchFile(file), { code: 'unavailable', retryable: true });
  slack.faults.plan('download', { kind: 'drop', processed: false });
  await assert.rejects(fetchFile(file), { code: 'unavailable', retryable: true });
  slack.faults.plan('files.info', { kind: 'limit', retryAfter: 3 });
  await assert.rejects(fetchFile(file), { code: 'rate_limited', retryAfterMs: 3_000 });
});

test('a canvas comes as the page that Slack makes of it', async () => {
  const { fetchFile, store } = await rig();
  const html = new TextEncoder().encode('<h1>Plan</h1>');
  const canvas = { filetype: 'quip', mode: 'quip', title: 'Plan', size: 4_711 };
  const file = store({
    name: 'Plan',
    mimetype: 'application/vnd.slack-docs',
    bytes: html,
    servedAs: 'text/html',
    extra: canvas,
  });
  const { content, name, mime } = await fetchFile(file);
  assert.deepEqual([Buffer.from(content).toString(), name, mime], ['<h1>Plan</h1>', 'Plan.html', 'text/html']);
});

test('a download that is called off ends at once', async () => {
  const { adapter, store, slack } = await rig();
  slack.faults.plan('download', { kind: 'hang' });
  const off = new AbortController();
  const file = { id: store().id, kind: 'file', name: 'x' } as const;
  const fetching = adapter.fetchFile?.(file, { maxBytes: 100, signal: off.signal }) ?? assert.fail();
  await slack.calls.waitFor('download', 1);
  off.abort();
  await assert.rejects(fetching, { code: 'cancelled' });
});

const outgoing = (name = 'table.csv', content = BYTES): OutgoingFile => ({
  ...{ id: 'f_1' as FileId, kind: 'file', name, mime: 'text/csv', bytes: content.length, content },
});

test('a file goes out with its caption in one message, into the thread, and its bytes without the token', async () => {
  const { adapter, slack, ann, inbox, channel, dm, target } = await rig();
  await adapter.start();
  const root = slack.people.say(ann, channel, '@antler the table please');
  await inbox.next();
  const thread = threadBelow(channel, root);
  const { id } = (await adapter.sendFile?.(thread, outgoing(), 'Here, **Ann**', { key: '1' })) ?? assert.fail();
  const [, shown] = slack.visible(channel);
  assert.deepEqual(
    [shown?.text, shown?.threadTs, shown?.files.map(({ name, bytes }) => [name, bytes.length])],
    ['Here, *Ann*', root.ts, [['table.csv', BYTES.length]]],
  );
  assert.deepEqual(
    slack.calls.list('upload').map(({ params }) => params.authorization),
    [''],
  );
  slack.people.say(ann, channel, 'thanks', { thread: root });
  assert.equal((await inbox.next()).addressed, 'topic-participant');
  await adapter.delete?.(thread, id);
  await adapter.delete?.(thread, id);
  assert.deepEqual(
    slack.visible(channel).map(({ text }) => text),
    [root.text, 'thanks'],
  );
  await assert.rejects(async () => adapter.edit?.(thread, id, { markdown: 'x' }, { key: '1' }), {
    code: 'unsupported',
  });
  await adapter.sendFile?.(target, outgoing('bare.csv'), ' ', { key: '2' });
  assert.deepEqual(
    slack.visible(dm).map(({ text, files }) => [text, files.length]),
    [['', 1]],
  );
  slack.people.delete(root);
  await adapter.sendFile?.(thread, outgoing('late.csv'), 'late', { key: '3' });
  assert.equal(slack.visible(channel).at(-1)?.threadTs, undefined);
});

test('the name under which a file goes out leads nowhere and hides nothing', async () => {
  const { adapter, slack, dm, target } = await rig();
  const table: [string, string][] = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ann\\a.pdf', 'a.pdf'],
    ['a\r\n\u0000"x".pdf', 'a _x_.pdf'],
    ['invoice\u202efdp.exe', 'invoice fdp.exe'],
    ['.bashrc', 'bashrc'],
    ['/', 'file'],
    [`${'名'.repeat(400)}.pdf`, `${'名'.repeat(78)}.pdf`],
  ];
  for (const [name, expected] of table) {
    await adapter.sendFile?.(target, outgoing(name), '', { key: name });
    assert.equal(slack.visible(dm).at(-1)?.files[0]?.name, expected, name);
  }
});

test('a caption that is too long for a file is said before it', async () => {
  const { adapter, slack, dm, target } = await rig();
  await adapter.sendFile?.(target, outgoing(), 'long '.repeat(1_500), { key: '1' });
  assert.deepEqual(
    slack.visible(dm).map(({ files }) => files.length),
    [0, 1],
  );
});

test('a file whose sending was never answered is shown once, whoever sends it again', async () => {
  const { adapter, slack, dm, target, replica } = await rig();
  const send = (key: string, by = adapter) => by.sendFile?.(target, outgoing(), 'x', { key }) ?? assert.fail();
  slack.faults.plan('files.completeUploadExternal', { kind: 'drop', processed: true });
  const first = await send('1');
  assert.deepEqual(await send('1', await replica()), first);
  assert.equal(slack.visible(dm).length, 1);
  // Nothing can be found out for now.
  slack.faults.plan('files.completeUploadExternal', { kind: 'drop', processed: true });
  slack.faults.plan('files.info', { kind: 'raw', status: 503, body: '' }, 3);
  await assert.rejects(send('2'), { code: 'uncertain' });
  await assert.rejects(send('2'), { code: 'unavailable' });
  slack.faults.plan('files.info', { kind: 'refuse', error: 'missing_scope' });
  await assert.rejects(send('2'), { code: 'uncertain' });
  await send('2');
  assert.equal(slack.visible(dm).length, 2);
  // It has never reached Slack.
  slack.faults.plan('files.completeUploadExternal', { kind: 'drop', processed: false });
  await assert.rejects(send('3'), { code: 'uncertain' });
  await send('3');
  assert.equal(slack.visible(dm).length, 3);
});

test('a file that Slack does not take says why, and nothing is shown', async () => {
  const { adapter, slack, dm, target } = await rig();
  const send = (file = outgoing()) => adapter.sendFile?.(target, file, 'x', { key: '1' }) ?? assert.fail();
  await assert.rejects(send(outgoing('empty.txt', new Uint8Array())), { code: 'unsupported' });
  const faults: [string, Parameters<typeof slack.faults.plan>[1], string][] = [
    [
      'files.getUploadURLExternal',
      { kind: 'refuse', error: 'missing_scope', details: { needed: 'files:write' } },
      'forbidden',
    ],
    ['files.getUploadURLExternal', { kind: 'refuse', error: 'file_uploads_disabled' }, 'unsupported'],
    ['files.getUploadURLExternal', { kind: 'raw', status: 200, body: '{"ok":true}' }, 'unavailable'],
    ['upload', { kind: 'raw', status: 413, body: '' }, 'too_large'],
    ['upload', { kind: 'raw', status: 500, body: '' }, 'unavailable'],
    ['upload', { kind: 'drop', processed: true }, 'unavailable'],
    ['upload', { kind: 'redirect', to: '/elsewhere' }, 'unavailable'],
    ['files.completeUploadExternal', { kind: 'refuse', error: 'channel_not_found' }, 'target_gone'],
    ['files.completeUploadExternal', { kind: 'limit', retryAfter: 2 }, 'rate_limited'],
  ];
  for (const [name, fault, code] of faults) {
    slack.faults.plan(name, fault);
    await assert.rejects(send(), { code }, `${name} ${JSON.stringify(fault)}`);
  }
  assert.deepEqual(slack.visible(dm), []);
  await send();
  assert.equal(slack.visible(dm).length, 1);
});
