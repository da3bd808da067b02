import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { acceptWebSocket, refuseWebSocket, type WebSocketConnection } from './index.ts';

test('text, bytes and large messages go both ways; pings and closes are answered', async (t) => {
  const server = createServer();
  const closed: number[] = [];
  const opened: WebSocketConnection[] = [];
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/no') return refuseWebSocket(socket, 403, 'Forbidden');
    const connection = acceptWebSocket(request, socket, head, {
      message: (data) => connection.send(data),
      closed: (code) => closed.push(code),
    });
    opened.push(connection);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new WebSocket(url);
  client.binaryType = 'arraybuffer';
  await once(client, 'open');
  for (const data of ['hi 你好', 'x'.repeat(300), '𠮷'.repeat(50_000), new Uint8Array([1, 2, 3])]) {
    client.send(data);
    const [event] = (await once(client, 'message')) as [MessageEvent];
    assert.deepEqual(typeof data === 'string' ? event.data : new Uint8Array(event.data as ArrayBuffer), data);
  }
  opened[0]?.ping('x');
  opened[0]?.close(4001, 'enough');
  const [event] = (await once(client, 'close')) as [CloseEvent];
  assert.deepEqual([event.code, event.reason, closed], [4001, 'enough', [4001]]);
  const refused = new WebSocket(`${url}/no`);
  await once(refused, 'error');
});
