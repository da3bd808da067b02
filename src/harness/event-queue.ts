/** Carries events from where they arise to whoever reads them, in order. One reader. */
export class EventQueue<Event> {
  #events: Event[] = [];
  #closed = false;
  #wake: () => void = () => {};

  push(event: Event): void {
    this.#events.push(event);
    this.#wake();
  }

  /** No more will come; the reader ends when it has read what is there. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, void> {
    for (;;) {
      const events = this.#events;
      this.#events = [];
      yield* events;
      if (this.#events.length > 0) continue;
      if (this.#closed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
