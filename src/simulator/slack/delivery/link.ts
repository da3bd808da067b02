import type { App } from '../model.ts';
import type { Wire } from '../wire.ts';

/** What Slack hands to an app: an event, a press of a button or the like, a slash command. */
export interface Handout {
  readonly kind: 'events_api' | 'interactive' | 'slash_commands';
  readonly body: Wire;
}

/** What became of one attempt. `response`: what the app acknowledged with. */
export type Attempt =
  | { readonly kind: 'acknowledged'; readonly response: unknown }
  | { readonly kind: 'failed'; readonly reason: string; readonly final: boolean };

/** One way to an app. */
export interface Route {
  /** Hands over once and waits for the acknowledgement; never rejects. */
  attempt(handout: Handout, retry: { readonly number: number; readonly reason: string } | undefined): Promise<Attempt>;
}

/** What was handed out and what became of it, for tests to look at. */
export interface HandoutRecord extends Handout {
  readonly attempts: Attempt[];
}

/**
 * Hands an app what happens, in order of happening but without waiting for each other, and again when it does not
 * acknowledge. Presses and commands are not repeated by HTTP, since a person waits and presses again.
 */
export class Link {
  readonly #route: (app: App) => Route;
  readonly #app: App;
  readonly #retryDelaysMs: readonly number[];
  readonly #stopping = new AbortController();
  readonly records: HandoutRecord[] = [];
  #held: Handout[] | undefined;

  constructor(app: App, route: (app: App) => Route, retryDelaysMs: readonly number[]) {
    this.#app = app;
    this.#route = route;
    this.#retryDelaysMs = retryDelaysMs;
  }

  /** Hands out; resolves with what became of it in the end. */
  deliver(handout: Handout): Promise<Attempt> | undefined {
    if (this.#held !== undefined) {
      this.#held.push(handout);
      return undefined;
    }
    return this.#persist(handout);
  }

  /** Hands the last `count` out again as they were, as Slack does when it has not seen the acknowledgements. */
  redeliver(count = 1): Promise<unknown> {
    return Promise.all(this.records.slice(-count).map((record) => this.#persist(record, 1)));
  }

  /** From now on nothing is handed out until {@link release}. */
  hold(): void {
    this.#held ??= [];
  }

  /** Hands out what was held, in the order that `arrange` brings it into. */
  release(arrange: (held: Handout[]) => Handout[] = (held) => held): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const handout of arrange(held)) void this.#persist(handout);
  }

  stop(): void {
    this.#stopping.abort();
  }

  async #persist(handout: Handout, firstRetry = 0): Promise<Attempt> {
    const record: HandoutRecord = { kind: handout.kind, body: handout.body, attempts: [] };
    this.records.push(record);
    if (this.records.length > 2_000) this.records.shift();
    const { signal } = this.#stopping;
    let reason = firstRetry > 0 ? 'http_timeout' : '';
    for (let number = firstRetry; ; number++) {
      const attempt = await this.#route(this.#app).attempt(handout, number === 0 ? undefined : { number, reason });
      record.attempts.push(attempt);
      const delay = this.#retryDelaysMs[number];
      const over = attempt.kind === 'acknowledged' || attempt.final || handout.kind !== 'events_api';
      if (over || delay === undefined || signal.aborted) return attempt;
      reason = attempt.reason;
      await waited(delay, signal);
    }
  }
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
