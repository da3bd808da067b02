/** Does one thing at a time for each key, in order of asking; different keys do not wait for each other. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs `task` after all earlier ones of `key`, however those ended. */
  async run<Value>(key: string, task: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, done);
    try {
      await before;
      return await task();
    } finally {
      resolve();
      if (this.#last.get(key) === done) this.#last.delete(key);
    }
  }

  /** Resolves when all that was handed in is over. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }

  /** Keys at work; nothing is kept of the others. */
  get size(): number {
    return this.#last.size;
  }
}
