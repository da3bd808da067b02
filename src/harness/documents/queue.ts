import { AntlerError } from '../../base/errors.ts';

/** Lets a few be at work at once; the others wait in their order, up to a bound. */
export class Queue {
  readonly #places: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(places: number, mostWaiting: number) {
    this.#places = places;
    this.#mostWaiting = mostWaiting;
  }

  /** @throws AntlerError `unavailable` when too many wait, `cancelled` when `signal` aborts before its turn. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#busy--;
      this.#waiting.shift()?.();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new AntlerError('cancelled', 'stopped');
    if (this.#busy >= this.#places) {
      if (this.#waiting.length >= this.#mostWaiting)
        throw new AntlerError('unavailable', 'too many documents are being read');
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
        reject(new AntlerError('cancelled', 'stopped'));
      };
      this.#waiting.push(resolve);
      signal.addEventListener('abort', leave, { once: true });
      await promise.finally(() => signal.removeEventListener('abort', leave));
    }
    this.#busy++;
  }
}
