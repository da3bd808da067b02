import type { ParamValue } from './params.ts';

/** One request of a bot, as the server saw it. Times are milliseconds since the epoch, precise. */
export interface CallRecord {
  readonly bot: string;
  readonly method: string;
  readonly params: Readonly<Record<string, ParamValue>>;
  /** The request's headers had arrived. */
  readonly at: number;
  /** The request's body had arrived. */
  readonly readAt: number;
  /** The answer was written; absent while the call waits, hangs or was cut. */
  doneAt?: number;
  /** HTTP status of the answer; 0 when the connection was cut. */
  status?: number;
}

/** The newest calls; older ones are forgotten, so that a long demo does not grow. */
export class Calls {
  readonly #records: CallRecord[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #keep: number;

  constructor(keep = 50_000) {
    this.#keep = keep;
  }

  add(record: CallRecord): void {
    this.#records.push(record);
    if (this.#records.length > this.#keep) this.#records.splice(0, this.#records.length - this.#keep);
    for (const watcher of this.#watchers) watcher();
  }

  /** Oldest first; all methods, or one by its name in any case. */
  list(method?: string): readonly CallRecord[] {
    const name = method?.toLowerCase();
    return name === undefined
      ? [...this.#records]
      : this.#records.filter((record) => record.method.toLowerCase() === name);
  }

  /**
   * Resolves when `count` calls of a method have come in all.
   * @throws Error after `timeoutMs` (5 s by default).
   */
  async waitFor(method: string, count: number, timeoutMs = 5_000): Promise<readonly CallRecord[]> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const check = (): void => {
      if (this.list(method).length >= count) resolve();
    };
    const timer = setTimeout(
      () =>
        reject(new Error(`${this.list(method).length} calls of ${method} came within ${timeoutMs} ms, not ${count}`)),
      timeoutMs,
    );
    this.#watchers.add(check);
    check();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(check);
    }
    return this.list(method);
  }

  clear(): void {
    this.#records.length = 0;
  }
}
