import { createConnection, createServer, type Socket } from 'node:net';

export interface RedisProxy {
  readonly url: string;
  /**
   * The next request that contains `mark` reaches Redis, but its reply does not come back: the connection breaks.
   * Resolves when that has happened.
   */
  loseReply(mark: string): Promise<void>;
  /** Breaks all connections, and lets nobody in any more. */
  close(): Promise<void>;
}

/** A way to Redis on which replies can get lost. */
export async function startProxy(redisUrl: string): Promise<RedisProxy> {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let trap: { readonly mark: string; readonly sprung: () => void } | undefined;

  const server = createServer((client) => {
    const upstream = createConnection({ host: target.hostname, port: Number(target.port) });
    let losing: (() => void) | undefined;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => {
      if (trap !== undefined && data.includes(trap.mark)) {
        losing = trap.sprung;
        trap = undefined;
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (losing === undefined) {
        client.write(data);
        return;
      }
      client.destroy();
      losing();
      losing = undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `redis://127.0.0.1:${address.port}`,
    loseReply: (mark) =>
      new Promise((resolve) => {
        trap = { mark, sprung: resolve };
      }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
