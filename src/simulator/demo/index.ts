import { type ServerType, serve } from '@hono/node-server';
import { AntlerError } from '../../base/errors.ts';
import type { Bot, TelegramSimulator } from '../telegram/index.ts';
import { castFor } from './cast.ts';
import { demoRoutes } from './routes.ts';

export interface DemoPageOptions {
  readonly telegram: TelegramSimulator;
  /** Whom Ann and Bo talk to; the simulator's first bot by default. */
  readonly bot?: Bot;
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
}

export interface DemoPage {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves a page on which one plays two people, Ann and Bo, in private chats with a bot and in a group with it. */
export async function startDemoPage(options: DemoPageOptions): Promise<DemoPage> {
  const { telegram, bot = telegram.bots[0], host = '127.0.0.1', port = 0 } = options;
  if (bot === undefined) throw new AntlerError('bad_input', 'The simulated Telegram has no bot to talk to.');
  const routes = demoRoutes(telegram, castFor(telegram, bot));
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
