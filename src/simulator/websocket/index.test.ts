import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { type PeerSocket, serveWebSockets } from './index.ts';

async function serve(t: { after(fn: () => unknown): void }, open: (socket: PeerSocket) => void): Promise<string> {
  const server = createServer((_request, response) => response.end());
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  serveWebSockets(server, ({ url }) => (url === '/link' ? open : 404));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('text and binary messages of every size go both ways', async (t) => {
  const url = await serve(t, (socket) => {
    socket.onMessage = (data) => socket.send(data);
  });
  const client = new WebSocket(`${url}/link`);
  client.binaryType = 'arraybuffer';
  await once(client, 'open');
  for (const size of [0, 1, 125, 126, 65_535, 65_536, 300_000]) {
    const text = '谢'.repeat(size / 3) + 'x'.repeat(size % 3);
    client.send(text);
    const [event] = await once(client, 'message');
    assert.equal((event as MessageEvent).data, text);
    client.send(Buffer.alloc(size, 7));
    const [binary] = await once(client, 'message');
    assert.deepEqual(Buffer.from((binary as MessageEvent<ArrayBuffer>).data), Buffer.alloc(size, 7));
  }
  client.close();
  await once(client, 'close');
});

test('who is not expected is refused', async (t) => {
  const url = await serve(t, () => assert.fail('nobody was let in'));
  const client = new WebSocket(`${url}/elsewhere`);
  await once(client, 'error');
});

test('both sides learn that the other has left', async (t) => {
  const closed = Promise.withResolvers<void>();
  const peers: PeerSocket[] = [];
  const url = await serve(t, (socket) => {
    peers.push(socket);
    socket.onClose = closed.resolve;
  });
  const first = new WebSocket(`${url}/link`);
  await once(first, 'open');
  first.close();
  await closed.promise;
  const second = new WebSocket(`${url}/link`);
  await once(second, 'open');
  peers[1]?.close(4000, 'bye');
  const [event] = await once(second, 'close');
  assert.equal((event as CloseEvent).code, 4000);
});
