import { type ServerType, serve } from '@hono/node-server';
import type { Playground } from '../play/port.ts';
import { demoRoutes } from './routes.ts';

export interface DemoPageOptions {
  /** The platforms, in the order of their tabs; each type once. They stay the caller's to stop. */
  readonly plays: readonly Playground[];
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
}

export interface DemoPage {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves a page on which one plays two people, Ann and Bo, in their chats with a bot on several platforms. */
export async function startDemoPage({ plays, host = '127.0.0.1', port = 0 }: DemoPageOptions): Promise<DemoPage> {
  const routes = demoRoutes(plays);
  const { promise: listening, resolve, reject } = Promise.withResolvers<number>();
  const server: ServerType = serve({ fetch: routes.fetch, hostname: host, port }, (address) => resolve(address.port));
  server.once('error', reject);
  return {
    url: `http://${host}:${await listening}/`,
    stop: async () => {
      routes.close();
      const { promise: closed, resolve: done } = Promise.withResolvers<void>();
      server.close(() => done());
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
    },
  };
}
