import { RateLimited } from './api-error.ts';
import { POSTS, TIER_PER_MINUTE, type Tier } from './limits.ts';
import type { App, Channel } from './model.ts';

/** Counts the calls of apps, or lets everything pass. */
export class Rates {
  readonly #on: boolean;
  readonly #now: () => number;
  readonly #calls = new Map<string, number[]>();

  constructor(on: boolean, now: () => number) {
    this.#on = on;
    this.#now = now;
  }

  /** One call of a method of this tier. */
  count(app: App, method: string, tier: Tier): void {
    this.#take(`${app.id} ${method}`, TIER_PER_MINUTE[tier], 60_000);
  }

  /** One message to a channel. */
  countPost(app: App, channel: Channel): void {
    this.#take(`${app.id} post ${channel.id}`, POSTS.burst, (POSTS.burst / POSTS.perChannelPerSecond) * 1_000);
  }

  #take(name: string, count: number, windowMs: number): void {
    if (!this.#on) return;
    const now = this.#now();
    const calls = (this.#calls.get(name) ?? []).filter((at) => at > now - windowMs);
    const oldest = calls.at(-count);
    if (oldest !== undefined) throw new RateLimited(Math.max(1, Math.ceil((oldest + windowMs - now) / 1_000)));
    this.#calls.set(name, [...calls, now]);
  }
}
