import { createConnection, createServer, type Socket } from 'node:net';

export interface RedisProxy {
  readonly url: string;
  /**
   * The next request that contains `mark` reaches Redis, but its reply does not come back: the connection breaks.
   * Resolves when that has happened.
   */
  loseReply(mark: string): Promise<void>;
  /**
   * From now on the connections that are open carry nothing, either way, and stay open: as when a host or the way to it
   * vanished. Those that are opened later work.
   */
  freeze(): void;
  /** Replies come so much later, in milliseconds. */
  slow(delayMs: number): void;
  /** Breaks all connections, and lets nobody in any more. */
  close(): Promise<void>;
}

/** A way to Redis on which replies can get lost. */
export async function startProxy(redisUrl: string): Promise<RedisProxy> {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let delayMs = 0;
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
        if (delayMs === 0) client.write(data);
        else setTimeout(() => client.writable && client.write(data), delayMs).unref();
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
    freeze: () => {
      for (const socket of sockets) {
        socket.removeAllListeners('data');
        // Taken off the wire and forgotten, so that even an end of the other side would be seen.
        socket.resume();
      }
    },
    slow: (ms) => {
      delayMs = ms;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
