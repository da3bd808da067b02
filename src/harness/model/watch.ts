/**
 * Watches one call: ends it when no byte has come for `idleMs`, when it takes longer than `totalMs`, or when `signal`
 * aborts. Clients' own timeouts end with the headers, so a stream that falls silent would hang for ever.
 */
export class Watch implements Disposable {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout;
  #expired: 'idle' | 'total' | null = null;

  constructor(idleMs: number, totalMs: number, signal: AbortSignal) {
    this.#outer = signal;
    this.#idle = setTimeout(this.#expire, idleMs, 'idle');
    this.#total = setTimeout(this.#expire, totalMs, 'total');
    if (signal.aborted) this.#abort();
    else signal.addEventListener('abort', this.#abort, { once: true });
  }

  /** Aborts the call for whichever reason comes first. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Which limit ended the call; null: none did. */
  get expired(): 'idle' | 'total' | null {
    return this.#expired;
  }

  /** Bytes have come. */
  touch(): void {
    this.#idle.refresh();
  }

  /** From now on so little silence is enough. */
  shortenIdle(ms: number): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(this.#expire, ms, 'idle');
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#total);
    this.#outer.removeEventListener('abort', this.#abort);
  }

  readonly #expire = (limit: 'idle' | 'total'): void => {
    this.#expired ??= limit;
    this.#controller.abort();
  };

  readonly #abort = (): void => {
    this.#controller.abort();
  };
}
