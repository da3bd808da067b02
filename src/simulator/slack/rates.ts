import { Windows } from '../kit/windows.ts';
import { RateLimited } from './api-error.ts';
import { POSTS, TIER_PER_MINUTE, type Tier } from './limits.ts';
import type { App, Channel } from './model.ts';

/** Counts the calls of apps, or lets everything pass. */
export class Rates {
  readonly #on: boolean;
  readonly #windows: Windows;

  constructor(on: boolean, now: () => number) {
    this.#on = on;
    this.#windows = new Windows(now);
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
    const waitMs = this.#on ? this.#windows.take(name, count, windowMs) : 0;
    if (waitMs > 0) throw new RateLimited(Math.max(1, Math.ceil(waitMs / 1_000)));
  }
}
