import { createServer } from 'node:net';
import type { PuppetServer } from 'wechaty-puppet-service';
import type { SimulatedPuppet } from './puppet.ts';

const HOST = '127.0.0.1';
const PORT_TRIES = 5;

export interface ServiceOptions {
  readonly token: string;
  /** With the certificate that wechaty-puppet-service brings for tokens that begin with `insecure_`. */
  readonly tls: boolean;
  readonly puppet: SimulatedPuppet;
}

/** wechaty's own server for puppets, on a loopback port that it keeps over restarts. */
export class PuppetService {
  readonly #options: ServiceOptions;
  #server: PuppetServer | undefined;
  #port = 0;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  get endpoint(): string {
    return `${HOST}:${this.#port}`;
  }

  async start(): Promise<void> {
    if (this.#server !== undefined) return;
    const { PuppetServer: Server, log } = await import('wechaty-puppet-service');
    log.level('silent');
    const isNew = this.#port === 0;
    for (let attempt = 1; ; attempt++) {
      if (isNew) this.#port = await freePort();
      const { token, tls, puppet } = this.#options;
      const server = new Server({
        ...{ endpoint: this.endpoint, token },
        puppet: puppet as unknown as ConstructorParameters<typeof Server>[0]['puppet'],
        ...(tls ? {} : { tls: { disable: true } }),
      });
      try {
        await server.start();
        this.#server = server;
        return;
      } catch (error) {
        await server.stop().catch(() => {});
        if (!isNew || attempt === PORT_TRIES) throw error; // somebody else may have taken the port meanwhile
      }
    }
  }

  /** Breaks all connections and listens no more. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await server?.stop();
    this.#options.puppet.disconnect();
  }
}

/** wechaty's server does not tell which port it got, so it has to be told one. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, HOST, resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
