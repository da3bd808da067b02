import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The HTTP server of a simulated platform: its connections can be cut as by a broken network, and it closes at once. */
export class LoopbackServer {
  /** For what else is to be served, e.g. sockets. */
  readonly server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #stopping = new AbortController();

  constructor(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
    this.server = createServer((request, response) => {
      // A caller that hangs up in the middle is the caller's business.
      handle(request, response).catch(() => response.destroy());
    });
    this.server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** Aborts when the server closes. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** @returns the port. */
  async listen(host: string, port: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.server.once('error', reject);
    this.server.listen(port, host, resolve);
    await promise;
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Cuts every connection, as a restart of the server or a broken network does. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    this.dropConnections();
    await promise;
  }
}
