import type { Logger } from '../../../src/base/logger.ts';
import { dedupeKey, type InboundMessage } from '../../../src/channel/message.ts';
import type { AdapterContext, ConnectionStatus, Target } from '../../../src/channel/port.ts';
import { type Channel, type Message, type SlackOptions, startSlack } from '../../../src/simulator/slack/index.ts';
import { slackConfig } from '../config.ts';
import { slack as manifest } from '../index.ts';

/** Long waits are over in a moment, so that tests of patience need none. */
const SHORT_MS = 5;

export interface RigOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly slack?: SlackOptions;
  readonly scopes?: readonly string[];
}

/** The real adapter on a simulated Slack, with an intake that keeps what it takes. */
export async function startRig({ config, slack: options, scopes }: RigOptions = {}) {
  const slack = await startSlack({ ...options, limits: { retryDelaysMs: [20, 20, 20], ...options?.limits } });
  const app = slack.addApp({ name: 'antler', commands: ['/antler'], ...(scopes === undefined ? {} : { scopes }) });
  const ann = slack.addUser({ name: 'ann', displayName: 'Ann Lee' });
  const bob = slack.addUser({ name: 'bob', displayName: 'Bob', locale: 'zh-CN' });
  const dm = slack.openDm(ann, app);
  const channel = slack.addChannel({ name: 'team', members: [ann, bob, app.user] });
  const inbox = new Inbox();
  const statuses: ConnectionStatus[] = [];
  const logged: unknown[] = [];
  const keys = new Map<string, string>();
  const clock = { skipMs: 0, now: () => Date.now() + clock.skipMs, sleep: shortSleep };
  const contextOf = (): AdapterContext<ReturnType<typeof slackConfig.parse>> => ({
    channel: 'slack',
    config: slackConfig.parse({
      bot_token: app.botToken,
      app_token: app.appToken,
      signing_secret: app.signingSecret,
      api_root: slack.url,
      ...config,
    }),
    log: logInto(logged),
    clock,
    accept: (message) => inbox.accept(message),
    state: { get: async (key) => keys.get(key) ?? null, set: async (key, value) => void keys.set(key, value) },
    secrets: { get: async (key) => keys.get(key) ?? null, set: async (key, value) => void keys.set(key, value) },
    hosted: { append: unused, edit: unused, list: unused },
    broadcast: { publish: () => {}, subscribe: () => () => {} },
    report: (status) => statuses.push(status),
    stopRun: async () => false,
    isBusy: async () => false,
  });
  const adapter = await manifest.create(contextOf());
  return {
    ...{ slack, app, adapter, manifest, inbox, statuses, logged, keys, clock, ann, bob, dm, channel },
    /** Another replica of the same installation. */
    replica: () => manifest.create(contextOf()),
    target: { chat: dm.id, chatKind: 'dm' as const },
    stop: async () => {
      await adapter.stop();
      await slack.stop();
    },
  };
}

/** In the thread below a message. */
export const threadBelow = (channel: Channel, root: Message): Target => ({
  chat: channel.id,
  chatKind: channel.kind === 'im' ? 'dm' : 'group',
  topic: root.threadTs ?? root.ts,
  ...(channel.kind === 'im' ? {} : { replyTo: root.ts }),
});

/** What intake has taken, in order; what it knows already it takes once, as the real one does. */
class Inbox {
  /** What intake answers instead of taking a message. */
  refuse: (message: InboundMessage) => Error | false = () => false;
  /** How often each message was handed in. */
  readonly seen = new Map<string, number>();
  readonly #taken: InboundMessage[] = [];
  readonly #waiting: ((message: InboundMessage) => void)[] = [];

  async accept(message: InboundMessage): Promise<void> {
    const refusal = this.refuse(message);
    if (refusal !== false) throw refusal;
    const key = dedupeKey(message);
    const times = (this.seen.get(key) ?? 0) + 1;
    this.seen.set(key, times);
    if (times > 1) return;
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

  /** What came and nobody has asked for. */
  get rest(): readonly InboundMessage[] {
    return this.#taken;
  }
}

const unused = (): never => {
  throw new Error('Slack keeps its own messages');
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
