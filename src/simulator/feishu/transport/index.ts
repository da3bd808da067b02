import type { Push } from '../events.ts';
import type { App } from '../model.ts';
import type { World } from '../world.ts';
import type { LongConnections } from './long-connections.ts';
import type { Webhooks } from './webhooks.ts';

/** What became of one attempt to tell an app something. */
export type Receipt =
  | { readonly kind: 'taken'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly reason: string };

interface Waiting {
  readonly push: Push;
  attempt: number;
}

/**
 * Brings events to apps: at least once, each again on the platform's schedule until it is acknowledged. Events of an
 * app that nobody listens for wait until somebody does.
 */
export class Dispatcher {
  readonly #world: World;
  readonly #connections: LongConnections;
  readonly #webhooks: Webhooks;
  readonly #idle = new Map<App, Waiting[]>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopped = false;
  /** Every push so far, newest last, for tests that redeliver. */
  readonly pushes: Push[] = [];

  constructor(world: World, connections: LongConnections, webhooks: Webhooks) {
    this.#world = world;
    this.#connections = connections;
    this.#webhooks = webhooks;
    world.pushes.subscribe((push) => {
      this.pushes.push(push);
      if (this.pushes.length > 1_000) this.pushes.shift();
      this.redeliver(push);
    });
    connections.onJoin = (app) => this.flush(app);
  }

  /** Delivers what was waiting for somebody to listen. */
  flush(app: App): void {
    const waiting = this.#idle.get(app) ?? [];
    this.#idle.delete(app);
    for (const one of waiting) void this.#deliver(one);
  }

  /** Delivers an event, for the first time or once more. */
  redeliver(push: Push): void {
    void this.#deliver({ push, attempt: 0 });
  }

  /** Card callbacks come once and want their answer at once. */
  async callback(push: Push): Promise<Receipt> {
    return (await this.#attempt(push)) ?? { kind: 'failed', reason: 'nobody listens' };
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #deliver(waiting: Waiting): Promise<void> {
    if (this.#stopped) return;
    const { push } = waiting;
    const receipt = await this.#attempt(push);
    if (receipt === undefined) {
      this.#idle.set(push.app, [...(this.#idle.get(push.app) ?? []), waiting]);
      return;
    }
    const delay = this.#world.limits.retryMs[waiting.attempt];
    if (receipt.kind === 'taken' || delay === undefined || this.#stopped) return;
    waiting.attempt += 1;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#deliver(waiting);
    }, delay);
    this.#timers.add(timer);
  }

  /** Undefined when nobody listens. */
  async #attempt(push: Push): Promise<Receipt | undefined> {
    return this.#webhooks.has(push.app) ? this.#webhooks.deliver(push) : this.#connections.deliver(push);
  }
}
