import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOME_PREFIX, type News, type Order } from '../process/protocol.ts';

/** A process that runs a bot. */
export interface BotProcess {
  /** Throws when it is over. */
  send(order: Order): void;
  /** Resolves once the process is gone. */
  readonly over: Promise<void>;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
}

export type Spawn = (onNews: (news: News) => void) => Promise<BotProcess>;

/** What a process in between needs of the surroundings; everything else, keys above all, is none of its business. */
const PASSED_ON = [
  ...['PATH', 'LANG', 'TZ', 'SYSTEMROOT'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'grpc_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];

/**
 * Starts the process of a bot. It gets a folder of its own as home, removed afterwards, because wechaty keeps what it
 * knows of people below the home folder, in a folder named by the token. It writes to no terminal.
 */
export const spawnBot =
  (surroundings: NodeJS.ProcessEnv = process.env): Spawn =>
  async (onNews) => {
    const home = await mkdtemp(join(tmpdir(), HOME_PREFIX));
    const env: NodeJS.ProcessEnv = { HOME: home, USERPROFILE: home, TMPDIR: home, TEMP: home, WECHATY_LOG: 'silent' };
    for (const name of PASSED_ON) if (surroundings[name] !== undefined) env[name] = surroundings[name];
    const child = fork(fileURLToPath(new URL('../process/bot.child.ts', import.meta.url)), {
      ...{ env, execArgv: [], serialization: 'advanced' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    child.once('exit', () => resolve());
    child.on('error', () => {
      if (child.pid === undefined) resolve(); // it could not even be started
    });
    child.on('message', (news) => onNews(news as News));
    return {
      send: (order) => {
        if (!child.connected) throw new Error('the process of the bot is gone');
        child.send(order, () => {}); // a broken channel shows by `exit`
      },
      over: gone.then(() => rm(home, { recursive: true, force: true }).catch(() => {})),
      kill: () => void child.kill('SIGKILL'),
    };
  };
