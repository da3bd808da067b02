import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { Hono } from 'hono';
import { silentLogger } from '../base/logger.ts';
import { freePort } from '../testing/services.ts';
import { createHttpApp, type HttpAppOptions } from './app.ts';
import { ownerGuard } from './guard.ts';
import { ownerToken } from './owner-token.ts';
import { serveHttp } from './serve.ts';
import { settingsForTests } from './testing/settings.ts';

async function serveForTests(t: TestContext, options: Partial<HttpAppOptions> = {}) {
  const settings = await settingsForTests(t);
  const guard = ownerGuard({ host: '127.0.0.1', publicUrl: undefined, token: await ownerToken(settings), settings });
  const app = createHttpApp({
    guard,
    setup: new Hono().get('/', (c) => c.text('setup')),
    operations: new Hono().get('/', (c) => c.text('operations')),
    pages: [async () => null, async ({ url }) => (new URL(url).pathname === '/' ? new Response('page') : null)],
    webhooks: async (name, request) => (name === 'known' ? new Response(await request.arrayBuffer()) : null),
    health: () => ({ version: '1' }),
    ready: async () => ({ ready: true, reasons: [] }),
    log: silentLogger,
    ...options,
  });
  const server = await serveHttp(app, { host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  return server;
}

test('pages, setup and unknown paths answer with the security headers', async (t) => {
  const { url } = await serveForTests(t);
  for (const [path, status] of [
    ['/', 200],
    ['/api/v1/setup', 200],
    ['/api/v1/operations', 200],
    ['/nothing', 404],
    ['/assets/theme.css', 200],
  ] as const) {
    const response = await fetch(url + path);
    await response.arrayBuffer();
    assert.equal(response.status, status, path);
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    assert.doesNotMatch(response.headers.get('content-security-policy') ?? '', /unsafe/);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  }
});

test('health and readiness go without the guard and say why not', async (t) => {
  const { url } = await serveForTests(t, { ready: async () => ({ ready: false, reasons: ['Redis does not answer'] }) });
  const asProxy = { headers: { 'x-forwarded-for': '203.0.113.7' } };
  assert.deepEqual(await (await fetch(`${url}/healthz`, asProxy)).json(), { status: 'ok', version: '1' });
  const ready = await fetch(`${url}/readyz`, asProxy);
  assert.deepEqual(
    [ready.status, await ready.json()],
    [503, { status: 'not ready', reasons: ['Redis does not answer'] }],
  );
  for (const path of ['/', '/api/v1/operations', '/api/v1/operations/dead-letters'])
    assert.equal((await fetch(url + path, asProxy)).status, 401, path);
});

test('a webhook gets the body byte by byte, without the guard', async (t) => {
  const { url } = await serveForTests(t);
  const body = new Uint8Array([0, 255, 13, 10, 0xe8, 0xb0]);
  const response = await fetch(`${url}/webhooks/known`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://platform.example' },
    body,
  });
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), body);
  assert.equal((await fetch(`${url}/webhooks/other`, { method: 'POST' })).status, 404);
});

test('a page that fails says so without its insides', async (t) => {
  const { url } = await serveForTests(t, { pages: [() => Promise.reject(new Error('secret detail'))] });
  const response = await fetch(`${url}/`);
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /secret/);
});

test('closing cuts streams that are still open', async (t) => {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const stream = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue('data: x\n\n'),
      cancel: () => resolve(),
    }).pipeThrough(new TextEncoderStream());
  const server = await serveForTests(t, { pages: [async () => new Response(stream())] });
  const response = await fetch(`${server.url}/`);
  const reader = response.body?.getReader();
  await reader?.read();
  await server.close(10);
  await cancelled;
  await assert.rejects(async () => {
    while (!(await reader?.read())?.done);
    throw new Error('ended');
  });
});

test('a visitor who leaves ends their stream', async (t) => {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const body = () => new ReadableStream({ start: (c) => c.enqueue(new Uint8Array(3)), cancel: () => resolve() });
  const { url } = await serveForTests(t, { pages: [async () => new Response(body())] });
  const leave = new AbortController();
  const response = await fetch(`${url}/`, { signal: leave.signal });
  await response.body?.getReader().read();
  leave.abort();
  await cancelled;
});

test('a port that is taken is said with the way out', async (t) => {
  const port = await freePort();
  const holder = createServer().listen(port, '127.0.0.1');
  t.after(() => holder.close());
  await assert.rejects(serveHttp(new Hono(), { host: '127.0.0.1', port }), {
    code: 'conflict',
    message: new RegExp(`Port ${port}.*server\\.port`),
  });
  await assert.rejects(serveHttp(new Hono(), { host: '203.0.113.1', port }), { code: 'config_invalid' });
});
