/** Does one thing at a time for each key, in order of asking; different keys do not wait for each other. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>();

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

  /** Keys at work; nothing is kept of the others. */
  get size(): number {
    return this.#last.size;
  }
}
