import { AntlerError } from './errors.ts';

/** Lets so many be inside at once; the others wait in their order, up to a bound. */
export class Semaphore {
  readonly #places: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(places: number, mostWaiting = Number.POSITIVE_INFINITY) {
    this.#places = places;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Resolves with what frees the place again, to be called once.
   * @throws AntlerError `unavailable` (retryable) when too many wait already; the signal's reason when it aborts first.
   */
  async enter(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#inside < this.#places) this.#inside++;
    else await this.#wait(signal);
    return () => this.#leave();
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting)
      throw new AntlerError('unavailable', 'too many wait already', { retryable: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      const at = this.#waiting.indexOf(resolve);
      if (at === -1) return; // the place is handed over already
      this.#waiting.splice(at, 1);
      reject(signal?.reason);
    };
    this.#waiting.push(resolve);
    signal?.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  /** Hands the place to the next who waits, so that nobody gets in between, or frees it. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#inside--;
    else next();
  }
}
