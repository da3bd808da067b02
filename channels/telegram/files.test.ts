import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { inspect } from 'node:util';
import type { InboundFile } from '../../src/channel/message.ts';
import { startRig } from './testing/rig.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** An adapter, and a file that somebody has sent to it. */
async function rig({ size }: { readonly size?: number } = {}) {
  const made = await startRig();
  closers.push(made.stop);
  const { telegram, adapter, ann, direct, inbox } = made;
  const bytes = new TextEncoder().encode('内容 and more');
  const media = telegram.media({ kind: 'document', bytes, name: '报告.txt', ...(size === undefined ? {} : { size }) });
  await adapter.start();
  telegram.people.say(ann, direct, '', { media });
  const file = (await inbox.next()).files[0];
  assert.ok(file !== undefined);
  const fetch = async (maxBytes = 1_000, signal = AbortSignal.timeout(5_000), which: InboundFile = file) => {
    const fetched = await adapter.fetchFile?.(which, { maxBytes, signal });
    return Buffer.from(fetched?.content ?? []).toString();
  };
  /** Where getFile says the file is. */
  const pathIs = (path: string): void => {
    const body = JSON.stringify({ ok: true, result: { file_id: 'F', file_path: path } });
    telegram.faults.plan('getFile', { kind: 'raw', status: 200, body, contentType: 'application/json' });
  };
  return { ...made, fetch, file, pathIs, bytes };
}

/** The token's secret part is in nothing that anybody gets to see. */
function tellsNothing(token: string, ...seen: readonly unknown[]): void {
  assert.ok(!inspect(seen, { depth: 12 }).includes(token.split(':')[1] ?? ''));
}

async function host(): Promise<{ readonly url: string; readonly visits: string[] }> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.end('secret of another host');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, visits };
}

/** What Telegram hands out instead of the file. */
const bytesOf = (body: string) =>
  ({ kind: 'raw', status: 200, body, contentType: 'application/octet-stream' }) as const;

test('a file that is too big is refused before it is fetched, or as soon as too much has come', async () => {
  const { telegram, fetch, bytes } = await rig();
  await assert.rejects(fetch(bytes.length - 1), { code: 'too_large' });
  telegram.faults.plan('download', bytesOf('x'.repeat(5_000)));
  await assert.rejects(fetch(1_000), { code: 'too_large' });
  const big = await rig({ size: 20 * 1024 * 1024 + 1 });
  await assert.rejects(big.fetch(), { code: 'too_large' });
});

test('what goes wrong with a download says what it was, and neither errors nor logs hold the token', async () => {
  const { telegram, fetch, token, logged, file } = await rig();
  const faults: [Parameters<typeof telegram.faults.plan>[1], object][] = [
    [{ kind: 'refuse', code: 404 }, { code: 'not_found' }],
    [{ kind: 'refuse', code: 401 }, { code: 'unauthorized' }],
    [
      { kind: 'raw', status: 502, body: '<html>' },
      { code: 'unavailable', retryable: true },
    ],
    [
      { kind: 'drop', processed: false },
      { code: 'unavailable', retryable: true },
    ],
    [{ kind: 'redirect', location: '/nowhere' }, { code: 'not_found' }],
    [
      { kind: 'raw', status: 200, body: '<html>Log in</html>', contentType: 'text/html; charset=utf-8' },
      { code: 'unavailable', retryable: true },
    ],
  ];
  for (const [fault, expected] of faults) {
    telegram.faults.plan('download', fault);
    const error = await fetch().then(
      () => assert.fail('fetched'),
      (thrown: unknown) => thrown,
    );
    assert.deepEqual({ ...Object(error), ...expected }, { ...Object(error) }, inspect(fault));
    tellsNothing(token, error);
  }
  await assert.rejects(fetch(9, AbortSignal.timeout(5_000), { ...file, id: 'unknown' }), { code: 'not_found' });
  tellsNothing(token, logged);
  assert.equal(await fetch(), '内容 and more');
});

test('a download that hangs ends with the signal', async () => {
  const { telegram, fetch } = await rig();
  telegram.faults.plan('download', { kind: 'hang' });
  await assert.rejects(fetch(1_000, AbortSignal.timeout(30)), { code: 'cancelled' });
});

test('a redirect is followed on the same host, and never to another, which would see the token', async () => {
  const { telegram, fetch, token, file } = await rig();
  const other = await host();
  const { file_path: path } = (
    await (await globalThis.fetch(`${telegram.url}/bot${token}/getFile?file_id=${file.id}`)).json()
  ).result as { file_path: string };
  telegram.faults.plan('download', { kind: 'redirect', location: `/file/bot${token}/${path}` });
  assert.equal(await fetch(), '内容 and more');
  telegram.faults.plan('download', { kind: 'redirect', location: `${other.url}/file/bot${token}/${path}` });
  await assert.rejects(fetch(), { code: 'unavailable' });
  telegram.faults.plan('download', { kind: 'redirect', location: `/file/bot${token}/${path}` }, 9);
  await assert.rejects(fetch(), { code: 'unavailable' });
  assert.deepEqual(other.visits, []);
});

test('a server on this machine hands over files by their path, from the bot’s own folder alone', async () => {
  const { telegram, fetch, token, pathIs } = await rig();
  const folder = mkdtempSync(join(tmpdir(), 'antler-botapi-'));
  closers.push(() => rmSync(folder, { recursive: true }));
  const own = join(folder, token, 'documents');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'file_0.txt'), 'on disk');
  writeFileSync(join(folder, 'elsewhere.txt'), 'not for bots');
  symlinkSync(join(folder, 'elsewhere.txt'), join(own, 'link.txt'));
  pathIs(join(own, 'file_0.txt'));
  assert.equal(await fetch(), 'on disk');
  pathIs(join(own, 'file_0.txt'));
  await assert.rejects(fetch(3), { code: 'too_large' });
  for (const path of [
    join(folder, 'elsewhere.txt'),
    join(own, 'link.txt'),
    `${own}/../../elsewhere.txt`,
    '/etc/passwd',
    '../../etc/passwd',
    'documents/../../x',
  ]) {
    pathIs(path);
    await assert.rejects(fetch(), { code: 'unavailable' }, path);
  }
  // Its disk is another machine's: what is behind the bot's folder is fetched as from any other server.
  telegram.faults.plan('download', bytesOf('by http'));
  pathIs(`/srv/not-here/${token}/documents/file_1.txt`);
  assert.equal(await fetch(), 'by http');
});
