import { AntlerError } from '../../base/errors.ts';
import { memoryShare } from './health.ts';
import type { Wiring } from './wiring.ts';

/**
 * From this share of Redis's memory on nothing new is taken in, so that what is in flight (commits, the outbox, BullMQ's
 * own bookkeeping) has the rest to get done in.
 */
const MOST_SHARE = 0.7;
/** How old a look at the memory may be, in milliseconds. */
const LOOK_MS = 1_000;

/** Says whether Redis has room for more. Looks now and then, beside the messages and not before them. */
export class Admission {
  readonly #wiring: Wiring;
  #share = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
  }

  /** Throws (retryable) when there is no room. */
  check(): void {
    if (performance.now() - this.#lookedAt >= LOOK_MS) void this.#look();
    if (this.#share < MOST_SHARE) return;
    const percent = Math.round(this.#share * 100);
    throw new AntlerError(
      'unavailable',
      `Redis has used ${percent} % of its memory; new messages wait outside until what is in flight is done, or maxmemory is raised.`,
      { retryable: true },
    );
  }

  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    try {
      const share = memoryShare(await this.#wiring.prompt.info('memory'));
      if (share >= MOST_SHARE && this.#share < MOST_SHARE)
        this.#wiring.log.error({ share }, 'Redis is nearly out of memory: no new messages are taken');
      this.#share = share;
    } catch {
      // Redis is away; a publish finds out by itself.
    }
  }
}
