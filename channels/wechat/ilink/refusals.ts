import { AntlerError } from '../../../src/base/errors.ts';
import { BoundedMap } from '../../../src/channel/bounded-map.ts';
import { ILINK_REFUSED_LOOK_MS, ILINK_REFUSED_MOST_MS, ILINK_REFUSED_PAUSE_MS } from '../limits.ts';

interface Refusal {
  /** The context token that was refused. */
  readonly token: string;
  readonly until: number;
  /** In a row. */
  readonly count: number;
}

/**
 * Remembers to whom WeChat takes no more messages for now. Every further attempt prolongs its silence, so attempts are
 * held back here, ever longer; as soon as the person has written again (there is a new context token) the way is open.
 */
export class Refusals {
  readonly #refused = new BoundedMap<string, Refusal>(10_000);

  /** @throws AntlerError `rate_limited` while nothing may be sent */
  check(chat: string, token: string, now: number): void {
    const refusal = this.#refused.get(chat);
    if (refusal === undefined || refusal.token !== token || now >= refusal.until) return;
    const retryAfterMs = Math.min(refusal.until - now, Math.max(ILINK_REFUSED_LOOK_MS, (refusal.until - now) / 8));
    throw new AntlerError('rate_limited', WAITING, { retryable: true, retryAfterMs: Math.ceil(retryAfterMs) });
  }

  refused(chat: string, token: string, now: number): void {
    const before = this.#refused.get(chat);
    const count = before?.token === token ? before.count + 1 : 1;
    const pauseMs = Math.min(ILINK_REFUSED_MOST_MS, ILINK_REFUSED_PAUSE_MS * 4 ** (count - 1));
    this.#refused.set(chat, { token, until: now + pauseMs, count });
  }

  taken(chat: string): void {
    this.#refused.delete(chat);
  }
}

const WAITING =
  'WeChat has refused this person’s messages (-2); the next attempt waits, or until the person has written again.';
