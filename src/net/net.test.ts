import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { serveLoopback } from '../testing/loopback.ts';
import { parseAllowed } from './allowed.ts';
import { createNet } from './index.ts';
import type { NetRequest, NetResponse } from './port.ts';
import type { Resolve } from './resolve.ts';

interface Server {
  readonly port: number;
  readonly seen: readonly { readonly url: string; readonly headers: Readonly<Record<string, unknown>> }[];
}

async function serve(t: TestContext, listener: RequestListener): Promise<Server> {
  const seen: Server['seen'][number][] = [];
  const { port } = await serveLoopback(t, (request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    listener(request, response);
  });
  return { port, seen };
}

interface Way {
  readonly open?: readonly string[];
  readonly resolve?: Resolve;
}

const nobody: Resolve = async () => {
  throw new Error('nothing is asked of the network in tests');
};

function send(url: string, { open = [], resolve = nobody }: Way, more: Partial<NetRequest> = {}): Promise<NetResponse> {
  const allowed = open.flatMap((entry) => parseAllowed(entry) ?? []);
  const net = createNet({ allowed, userAgent: 'Antler-test', resolve });
  const signal = new AbortController().signal;
  return net.send({ url, maxBytes: 10_000, timeoutMs: 5_000, signal, ...more });
}

const text = ({ body }: NetResponse): string => Buffer.from(body).toString();

test('what an admin has opened is fetched; the same port of another host is not', async (t) => {
  const server = await serve(t, (_, response) => {
    response.setHeader('content-type', 'text/HTML; charset="GBK"').end('hello');
  });
  const open = [`127.0.0.1:${server.port}`];
  const got = await send(`http://127.0.0.1:${server.port}/a?b=c`, { open });
  assert.equal(text(got), 'hello');
  assert.partialDeepStrictEqual(got, { status: 200, mime: 'text/html', charset: 'GBK' });
  assert.partialDeepStrictEqual(server.seen[0], { url: '/a?b=c', headers: { 'user-agent': 'Antler-test' } });
  await assert.rejects(send(`http://localhost:${server.port}/`, { open, resolve: async () => ['::1'] }), {
    code: 'forbidden',
  });
  await assert.rejects(send(`http://127.0.0.1:${server.port}/`, {}), { code: 'forbidden' });
  assert.equal(server.seen.length, 1);
});

test('a name that changes its mind between check and connection gains nothing', async (t) => {
  const server = await serve(t, (_, response) => void response.end('the first'));
  let asked = 0;
  const resolve: Resolve = async () => {
    asked++;
    return asked === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
  };
  const url = `http://rebind.test:${server.port}/`;
  const open = [`rebind.test:${server.port}`];
  assert.equal(text(await send(url, { open, resolve })), 'the first');
  assert.equal(asked, 1);
  await assert.rejects(send(url, { open, resolve }), { code: 'forbidden' });
  assert.equal(server.seen.length, 1);
  assert.equal(server.seen[0]?.headers.host, `rebind.test:${server.port}`);
});

test('a redirect is followed only to where a request might have gone at first', async (t) => {
  const inner = await serve(t, (_, response) => void response.end('secret'));
  const outer = await serve(t, (request, response) => {
    const to = new URLSearchParams(request.url?.split('?')[1]).get('to') ?? '';
    response.writeHead(302, { location: to }).end();
  });
  const open = [`127.0.0.1:${outer.port}`, 'named.test:80'];
  const resolve: Resolve = async (host) => (host === 'meta.test' ? ['169.254.169.254'] : ['10.0.0.1']);
  const follow = (to: string) =>
    send(`http://127.0.0.1:${outer.port}/?to=${encodeURIComponent(to)}`, { open, resolve });
  const bad = [
    `http://127.0.0.1:${inner.port}/`,
    `http://[::ffff:127.0.0.1]:${inner.port}/`,
    'http://169.254.169.254/',
  ];
  bad.push(
    'http://meta.test/latest/meta-data',
    'http://internal.test/',
    `//127.1:${inner.port}/`,
    'http://u:p@8.8.8.8/',
  );
  for (const to of bad) await assert.rejects(follow(to), { code: 'forbidden' }, to);
  for (const to of ['file:///etc/passwd', 'ftp://8.8.8.8/'])
    await assert.rejects(follow(to), { code: 'bad_input' }, to);
  assert.equal(inner.seen.length, 0);
});

test('redirects end, tell where they led, and never carry a key to another origin', async (t) => {
  const end = await serve(t, (_, response) => void response.end('there'));
  const start = await serve(t, (request, response) => {
    const hop = Number(request.url?.slice(1));
    const location = hop > 0 ? `/${hop - 1}` : `http://127.0.0.1:${end.port}/end`;
    response.writeHead(hop % 2 === 0 ? 301 : 307, { location }).end('<a>moved</a>');
  });
  const open = [`127.0.0.1:${start.port}`, `127.0.0.1:${end.port}`];
  const headers = { authorization: 'Bearer key' };
  const got = await send(`http://127.0.0.1:${start.port}/2`, { open }, { headers });
  assert.equal(got.url, `http://127.0.0.1:${end.port}/end`);
  assert.equal(text(got), 'there');
  assert.deepEqual(
    start.seen.map((one) => one.headers.authorization),
    ['Bearer key', 'Bearer key', 'Bearer key'],
  );
  assert.equal(end.seen[0]?.headers.authorization, undefined);
  await assert.rejects(send(`http://127.0.0.1:${start.port}/20`, { open }), {
    code: 'forbidden',
    message: /too often/,
  });
  await assert.rejects(send(`http://127.0.0.1:${start.port}/0`, { open }, { maxRedirects: 0 }), {
    message: /redirects elsewhere/,
  });
  const posted = send(`http://127.0.0.1:${start.port}/0`, { open }, { method: 'POST', body: '{}' });
  await assert.rejects(posted, { code: 'forbidden' });
});

test('a body is bounded as it comes and as it is unpacked', async (t) => {
  const bodies: Record<string, [string, Buffer]> = {
    gzip: ['gzip', gzipSync('small')],
    deflate: ['deflate', deflateSync('small')],
    br: ['br', brotliCompressSync('small')],
    twice: ['gzip, br', brotliCompressSync(gzipSync('small'))],
    bomb: ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    nested: ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
    broken: ['gzip', gzipSync('small').subarray(0, 12)],
    none: ['br', Buffer.from('this is not packed at all')],
    unknown: ['rot13', Buffer.from('x')],
    many: ['gzip, gzip, gzip', Buffer.from('x')],
  };
  const server = await serve(t, (request, response) => {
    const [encoding, body] = bodies[request.url?.slice(1) ?? ''] ?? ['', Buffer.alloc(0)];
    if (request.url !== '/endless') return void response.writeHead(200, { 'content-encoding': encoding }).end(body);
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16_000)));
    };
    response.on('drain', more);
    more();
  });
  const get = (path: string) => send(`http://127.0.0.1:${server.port}/${path}`, { open: [`127.0.0.1:${server.port}`] });
  for (const path of ['gzip', 'deflate', 'br', 'twice']) assert.equal(text(await get(path)), 'small', path);
  for (const path of ['bomb', 'nested', 'endless']) await assert.rejects(get(path), { code: 'too_large' }, path);
  for (const path of ['broken', 'none', 'unknown', 'many'])
    await assert.rejects(get(path), { code: 'unavailable' }, path);
});

test('a kind of content that is not wanted is not read', async (t) => {
  const server = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'retry-after': '7' }).write('x'); // and never ends
  });
  const open = [`127.0.0.1:${server.port}`];
  const got = await send(`http://127.0.0.1:${server.port}/`, { open }, { accepts: (mime) => mime !== 'image/png' });
  assert.partialDeepStrictEqual(got, { mime: 'image/png', retryAfterMs: 7_000 });
  assert.equal(got.body.byteLength, 0);
});

test('who does not answer, stops in the middle or is not there costs no more than the time given', async (t) => {
  const server = await serve(t, (request, response) => {
    if (request.url === '/half') response.write('half');
    if (request.url === '/cut') response.socket?.destroy();
  });
  const open = [`127.0.0.1:${server.port}`, '127.0.0.1:1'];
  const get = (path: string, more: Partial<NetRequest> = {}) =>
    send(`http://127.0.0.1:${server.port}${path}`, { open }, { timeoutMs: 150, ...more });
  await assert.rejects(get('/silent'), { code: 'timeout' });
  await assert.rejects(get('/half'), { code: 'timeout' });
  await assert.rejects(get('/cut', { timeoutMs: 5_000 }), { code: 'unavailable' });
  await assert.rejects(send('http://127.0.0.1:1/', { open }), { code: 'unavailable', message: /^(?!.*127)/ });
  await assert.rejects(get('/silent', { timeoutMs: 5_000, signal: AbortSignal.timeout(50) }), { code: 'cancelled' });
  const unknown: Resolve = async () => [];
  await assert.rejects(send('http://nowhere.test/', { resolve: unknown }), {
    message: 'there is no host named nowhere.test',
  });
  await assert.rejects(send('http://nowhere.test/', {}), { code: 'unavailable' });
  const never: Resolve = () => new Promise(() => {});
  await assert.rejects(send('http://slow.test/', { resolve: never }, { timeoutMs: 100 }), { code: 'timeout' });
});
