import type { Logger } from '../../../src/base/logger.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import type { AdapterContext, ConnectionStatus } from '../../../src/channel/port.ts';
import { type FeishuOptions, startFeishu } from '../../../src/simulator/feishu/index.ts';
import { type FeishuConfig, feishuConfig } from '../config.ts';
import { feishu as manifest } from '../index.ts';

/** Long waits are over in a moment, so that tests of patience need none. */
const SHORT_MS = 5;

export interface RigOptions {
  readonly config?: Partial<FeishuConfig>;
  readonly feishu?: FeishuOptions;
  /** Milliseconds by which the adapter's clock is ahead. */
  readonly ahead?: () => number;
}

/** The real adapter on a simulated Feishu, with an intake that keeps what it takes. */
export async function startRig({ config, feishu: options, ahead = () => 0 }: RigOptions = {}) {
  const feishu = await startFeishu(options);
  const app = feishu.addApp({ name: 'Antler' });
  const ann = feishu.addUser('Ann');
  const bob = feishu.addUser('Bob');
  const direct = feishu.openDirectChat(ann, app);
  const group = feishu.addGroup({ title: 'Team', users: [ann, bob], apps: [app] });
  const inbox = new Inbox();
  const statuses: ConnectionStatus[] = [];
  const logged: unknown[] = [];
  const keys = new Map<string, string>();
  const context: AdapterContext<FeishuConfig> = {
    channel: 'feishu',
    config: feishuConfig.parse({ app_id: app.appId, app_secret: app.secret, domain: feishu.url, ...config }),
    log: logInto(logged),
    clock: { now: () => Date.now() + ahead(), sleep: shortSleep },
    accept: (message) => inbox.accept(message),
    state: { get: async (key) => keys.get(key) ?? null, set: async (key, value) => void keys.set(key, value) },
    secrets: { get: async (key) => keys.get(key) ?? null, set: async (key, value) => void keys.set(key, value) },
    hosted: { append: unused, edit: unused, list: unused },
    broadcast: { publish: () => {}, subscribe: () => () => {} },
    report: (status) => statuses.push(status),
    stopRun: async () => false,
    isBusy: async () => false,
  };
  const adapter = await manifest.create(context).catch(async (error: unknown) => {
    await feishu.stop();
    throw error;
  });
  /** Another replica of the same channel. */
  const replica = () => manifest.create(context);
  return {
    ...{ feishu, adapter, replica, manifest, inbox, statuses, logged, app, ann, bob, direct, group },
    target: { chat: direct.id, chatKind: 'dm' as const },
    inGroup: { chat: group.id, chatKind: 'group' as const },
    /** Resolves when the adapter has its connection. */
    connected: async () => {
      while (!statuses.some(({ state }) => state === 'connected')) await shortSleep(SHORT_MS);
    },
    stop: async () => {
      await adapter.stop();
      await feishu.stop();
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

  get unread(): number {
    return this.#taken.length;
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
  throw new Error('Feishu keeps its own messages');
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
