/** Tells everybody who listens, in order, at once. */
export class Signal<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  emit(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
