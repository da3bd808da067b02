import type { Logger } from '../../base/logger.ts';
import type { RedisClient } from './connection.ts';

type Listener = (data: string) => void;

/** A subscriber only listens, and would not notice that the other end is gone. */
const PING_MS = 3_000;

/** Pub/sub: a listener per channel on one connection. Subscriptions survive a reconnect. */
export class Signals {
  readonly #subscriber: RedisClient;
  readonly #log: Logger;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #ping: NodeJS.Timeout;
  /** The subscriptions that are on their way to Redis. */
  #pending: Promise<unknown> = Promise.resolve();

  constructor(subscriber: RedisClient, log: Logger) {
    this.#subscriber = subscriber;
    this.#log = log;
    this.#ping = setInterval(() => void subscriber.ping().catch(() => {}), PING_MS);
    this.#ping.unref();
    subscriber.on('message', (channel: string, data: string) => {
      for (const listener of this.#listeners.get(channel) ?? []) this.#call(listener, data);
    });
  }

  #call(listener: Listener, data: string): void {
    try {
      listener(data);
    } catch (thrown) {
      this.#log.error({ error: String(thrown) }, 'a listener failed');
    }
  }

  /** Returns the function that ends the subscription. */
  listen(channel: string, listener: Listener): () => void {
    // One listener may be handed in twice and end once.
    const own: Listener = (data) => listener(data);
    const listeners = this.#listeners.get(channel);
    if (listeners !== undefined) listeners.add(own);
    else {
      this.#listeners.set(channel, new Set([own]));
      this.#send(() => this.#subscriber.subscribe(channel));
    }
    return () => this.#end(channel, own);
  }

  #end(channel: string, listener: Listener): void {
    const listeners = this.#listeners.get(channel);
    if (listeners?.delete(listener) !== true || listeners.size > 0) return;
    this.#listeners.delete(channel);
    this.#send(() => this.#subscriber.unsubscribe(channel));
  }

  #send(command: () => Promise<unknown>): void {
    const sent = command().catch((thrown: unknown) => {
      if (this.#subscriber.status !== 'end') this.#log.warn({ error: String(thrown) }, 'subscription failed');
    });
    this.#pending = Promise.all([this.#pending, sent]);
  }

  /** Resolves when Redis knows all subscriptions made so far. */
  async settled(): Promise<void> {
    await this.#pending;
  }

  close(): void {
    clearInterval(this.#ping);
    this.#listeners.clear();
    this.#subscriber.disconnect();
  }
}
