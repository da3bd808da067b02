import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { boundedFetch } from './bounded-fetch.ts';
import { connect } from './connection.ts';

/** Writes pieces until the reader has gone or `pieces` of them were written. */
async function serve(t: TestContext, type: string, piece: string, pieces = Number.POSITIVE_INFINITY): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': type });
    let written = 0;
    const more = (): void => {
      while (written++ < pieces && !response.destroyed) if (!response.write(piece)) return;
      response.end();
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test('a server whose answer never ends took all memory', async (t) => {
  const url = await serve(t, 'application/json', 'x'.repeat(100_000));
  const config = { name: 'endless', transport: 'http', url, headers: {}, startTimeoutMs: 60_000 } as const;
  await assert.rejects(connect({ ...config, callTimeoutMs: 60_000 }), /more than \d+ bytes/);
});

test('a stream with an event that never ends is broken off', async (t) => {
  const url = await serve(t, 'text/event-stream', `data: ${'x'.repeat(1_000)}\n`);
  await assert.rejects(async () => (await boundedFetch(50_000)(url)).text(), /more than 50000 bytes/);
});

test('a long stream of short events is read whole', async (t) => {
  const event = `event: message\r\ndata: ${'y'.repeat(400)}\r\n\r\n`;
  const url = await serve(t, 'text/event-stream', event, 100);
  const bounded = boundedFetch(1_000);
  assert.equal((await (await bounded(url)).text()).length, event.length * 100);
  const tight = boundedFetch(300);
  await assert.rejects(async () => (await tight(url)).text(), /more than 300 bytes/);
});
