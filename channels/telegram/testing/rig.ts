import type { Logger } from '../../../src/base/logger.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import type { AdapterContext, ConnectionStatus } from '../../../src/channel/port.ts';
import { startTelegram } from '../../../src/simulator/telegram/index.ts';
import { type TelegramConfig, telegramConfig } from '../config.ts';
import { telegram as manifest } from '../index.ts';

/** Long waits are over in a moment, so that tests of patience need none. */
const SHORT_MS = 5;

export interface RigOptions {
  readonly token?: string;
  readonly config?: Partial<TelegramConfig>;
}

/** The real adapter on a simulated Telegram, with an intake that keeps what it takes. */
export async function startRig({ token, config }: RigOptions = {}) {
  const telegram = await startTelegram();
  const bot = telegram.addBot({ username: 'antler_bot' });
  const ann = telegram.addUser({ firstName: 'Ann', language: 'en' });
  const bob = telegram.addUser({ firstName: 'Bob' });
  const direct = telegram.openPrivateChat(ann, bot);
  const inbox = new Inbox();
  const statuses: ConnectionStatus[] = [];
  const logged: unknown[] = [];
  const keys = new Map<string, string>();
  const context: AdapterContext<TelegramConfig> = {
    channel: 'telegram',
    config: telegramConfig.parse({ bot_token: token ?? bot.token, api_root: telegram.url, ...config }),
    log: logInto(logged),
    clock: { now: () => Date.now(), sleep: shortSleep },
    accept: (message) => inbox.accept(message),
    state: { get: async (key) => keys.get(key) ?? null, set: async (key, value) => void keys.set(key, value) },
    hosted: { append: unused, edit: unused, list: unused },
    broadcast: { publish: () => {}, subscribe: () => () => {} },
    report: (status) => statuses.push(status),
    stopRun: async () => false,
    isBusy: async () => false,
  };
  const adapter = await manifest.create(context);
  return {
    ...{ telegram, adapter, manifest, inbox, statuses, logged, bot, ann, bob, direct, token: context.config.bot_token },
    target: { chat: String(direct.id), chatKind: 'dm' as const },
    stop: async () => {
      await adapter.stop();
      await telegram.stop();
    },
  };
}

/** What intake has taken, in order. */
class Inbox {
  /** What intake answers instead of taking a message. */
  refuse: (message: InboundMessage) => Error | false = () => false;
  readonly #taken: InboundMessage[] = [];
  readonly #waiting: ((message: InboundMessage) => void)[] = [];

  async accept(message: InboundMessage): Promise<void> {
    const refusal = this.refuse(message);
    if (refusal !== false) throw refusal;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#taken.push(message);
    else waiting(message);
  }

  /** The next message that nobody has asked for yet. */
  async next(): Promise<InboundMessage> {
    const taken = this.#taken.shift();
    if (taken !== undefined) return taken;
    const { promise, resolve, reject } = Promise.withResolvers<InboundMessage>();
    const timer = setTimeout(() => reject(new Error('no further message was taken in within 5 s')), 5_000);
    this.#waiting.push(resolve);
    return promise.finally(() => clearTimeout(timer));
  }
}

const unused = (): never => {
  throw new Error('Telegram keeps its own messages');
};

function logInto(lines: unknown[]): Logger {
  const log = (fields: object, message: string): void => void lines.push({ ...fields, message });
  return { debug: log, info: log, warn: log, error: log, child: () => logInto(lines) };
}

async function shortSleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(ms, SHORT_MS));
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  await promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  });
}
