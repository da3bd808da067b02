import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { InboundMessage } from '../message.ts';
import type { AdapterContext, ChannelState, ConnectionStatus } from '../port.ts';

/** What stands around an adapter in its own tests: an intake that keeps what it takes, and a record of the rest. */
export interface Desk<Config> {
  readonly context: AdapterContext<Config>;
  readonly inbox: Inbox;
  readonly statuses: ConnectionStatus[];
  /** Every log line, as written. */
  readonly logged: unknown[];
}

export interface DeskOptions<Config> {
  readonly channel: string;
  readonly config: Config;
  /** Default: the machine's clock, whose waits are over in a moment. */
  readonly clock?: Clock;
  readonly webhookUrl?: string;
  /** What the adapter remembers; hand in the same one again to play a restart. Default: nothing yet. */
  readonly memory?: Map<string, string>;
}

export function createDesk<Config>({ channel, config, clock, webhookUrl, memory }: DeskOptions<Config>): Desk<Config> {
  const inbox = new Inbox();
  const statuses: ConnectionStatus[] = [];
  const logged: unknown[] = [];
  const kept = memory ?? new Map<string, string>();
  return {
    ...{ inbox, statuses, logged },
    context: {
      channel,
      config,
      log: logInto(logged),
      clock: clock ?? { now: () => Date.now(), sleep: shortSleep },
      accept: (message) => inbox.accept(message),
      state: stateIn(kept, 'state/'),
      secrets: stateIn(kept, 'secret/'),
      hosted: { append: unused, edit: unused, list: unused },
      hostedFiles: { maxBytes: 0, keep: unused, find: unused, read: unused },
      broadcast: { publish: () => {}, subscribe: () => () => {} },
      report: (status) => void statuses.push(status),
      stopRun: async () => false,
      isBusy: async () => false,
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
    },
  };
}

const PATIENCE_MS = 15_000;

/** What intake has taken, in order. */
export class Inbox {
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
    const timer = setTimeout(() => reject(new Error('no further message was taken in within 15 s')), PATIENCE_MS);
    this.#waiting.push(resolve);
    return promise.finally(() => clearTimeout(timer));
  }

  /** Taken and not asked for yet. */
  get waiting(): number {
    return this.#taken.length;
  }
}

const stateIn = (kept: Map<string, string>, prefix: string): ChannelState => ({
  get: async (key) => kept.get(prefix + key) ?? null,
  set: async (key, value) => void kept.set(prefix + key, value),
});

const unused = (): never => {
  throw new Error('this platform keeps its own messages');
};

function logInto(lines: unknown[]): Logger {
  const log = (fields: object, message: string): void => void lines.push({ ...fields, message });
  const child = (bindings: object): Logger => {
    // A line of JSON with a key twice is read in two ways.
    if ('channel' in bindings) throw new Error('every log line would name its channel twice');
    return logInto(lines);
  };
  return { debug: log, info: log, warn: log, error: log, child };
}

const SHORT_MS = 5;

/** Long waits are over in a moment, so that tests of patience need none. */
export async function shortSleep(ms: number, signal?: AbortSignal): Promise<void> {
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
