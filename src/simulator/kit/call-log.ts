/** The newest calls; older ones are forgotten, so that a long demo does not grow. Methods know no upper case. */
export class CallLog<Call extends { readonly method: string }> {
  readonly #records: Call[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #keep: number;

  constructor(keep = 50_000) {
    this.#keep = keep;
  }

  add(record: Call): void {
    this.#records.push(record);
    if (this.#records.length > this.#keep) this.#records.splice(0, this.#records.length - this.#keep);
    for (const watcher of this.#watchers) watcher();
  }

  /** Oldest first; all methods, or one. */
  list(method?: string): readonly Call[] {
    const name = method?.toLowerCase();
    return this.#records.filter((record) => name === undefined || record.method.toLowerCase() === name);
  }

  /**
   * Resolves when `count` calls of a method have come in all.
   * @throws Error after `timeoutMs` (5 s by default).
   */
  async waitFor(method: string, count: number, timeoutMs = 5_000): Promise<readonly Call[]> {
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
