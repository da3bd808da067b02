import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves an adapter's webhook by HTTP, as Antler's own server does. */
export async function serveWebhook(answer: (request: Request) => Promise<Response> | undefined) {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const request = new Request('http://x/', { method: 'POST', headers, body: Buffer.concat(chunks) });
      const response = await answer(request);
      outgoing
        .writeHead(response?.status ?? 404, Object.fromEntries(response?.headers ?? []))
        .end(await response?.text());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/slack`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
