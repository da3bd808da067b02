import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { type Bot, startBot } from './bot.ts';
import { faultOf } from './fault.ts';
import { HOME_PREFIX, type News, type Order } from './protocol.ts';

/**
 * The process that wechaty lives in. It is none of the gateway's own because wechaty brings native code and 100 MB, its
 * rejections are caught by nobody, one of its puppets swallows every uncaught exception of a process, and `stop()` may
 * hang, or log the account out: ending the process always works, and keeps the login.
 */
let bot: Promise<Bot> | undefined;
let secrets: readonly string[] = [];

const tell = (news: News): void => {
  process.send?.(news, () => {}); // nobody left to tell: `disconnect` follows
};

/** The gateway is gone, perhaps without a chance to tidy up. */
process.on('disconnect', () => {
  const home = homedir();
  if (basename(home).startsWith(HOME_PREFIX)) rmSync(home, { recursive: true, force: true });
  process.exit(0);
});
process.on('unhandledRejection', (reason) => tell({ kind: 'trouble', fault: faultOf(reason, secrets) }));
process.on('uncaughtException', (error) => tell({ kind: 'dead', fault: faultOf(error, secrets) }));
process.on('message', (order: Order) => {
  switch (order.kind) {
    case 'start':
      secrets = order.settings.puppet === 'wechaty-puppet-service' ? [order.settings.token] : [];
      bot = startBot({ settings: order.settings, memory: order.memory, dingMs: order.dingMs, tell });
      bot.catch((error: unknown) => tell({ kind: 'dead', fault: faultOf(error, secrets) }));
      break;
    case 'call':
      void bot?.then((ready) => ready.perform(order.call, order.task)).catch(() => {}); // `dead` has been told
      break;
    default:
      order satisfies never;
  }
});
