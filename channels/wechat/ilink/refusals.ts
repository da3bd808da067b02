import { BoundedMap } from '../../../src/base/bounded-map.ts';
import { AntlerError } from '../../../src/base/errors.ts';
import {
  ILINK_REFUSED_LOOK_MAX_MS,
  ILINK_REFUSED_LOOK_MS,
  ILINK_REFUSED_MOST_MS,
  ILINK_REFUSED_PAUSE_MS,
} from '../limits.ts';

interface Refusal {
  /** The context token that was refused. */
  readonly token: string;
  /** Since when, in a row. */
  readonly since: number;
  readonly until: number;
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
    throw new AntlerError('rate_limited', WAITING, { retryable: true, retryAfterMs: lookMs(now - refusal.since) });
  }

  /** @returns how long until it is worth a look whether the way is open again, in milliseconds */
  refused(chat: string, token: string, now: number): number {
    const before = this.#refused.get(chat);
    const again = before?.token === token ? before : undefined;
    const count = (again?.count ?? 0) + 1;
    const pauseMs = Math.min(ILINK_REFUSED_MOST_MS, ILINK_REFUSED_PAUSE_MS * 4 ** (count - 1));
    const since = again?.since ?? now;
    this.#refused.set(chat, { token, since, until: now + pauseMs, count });
    return lookMs(now - since);
  }

  taken(chat: string): void {
    this.#refused.delete(chat);
  }
}

/** Most people write again soon or not for hours, and the number of attempts is bounded. */
const lookMs = (waitedMs: number): number =>
  Math.min(ILINK_REFUSED_LOOK_MAX_MS, Math.max(ILINK_REFUSED_LOOK_MS, Math.ceil(waitedMs / 4)));

const WAITING =
  'WeChat has refused this person’s messages (-2); the next attempt waits, or until the person has written again.';
