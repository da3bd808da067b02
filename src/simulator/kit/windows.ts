/** Sliding windows by name. Calls that are refused do not count. */
export class Windows {
  readonly #calls = new Map<string, readonly number[]>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a call; if it is one too many, it is not counted, and the result says in how many milliseconds it would pass. */
  take(name: string, count: number, windowMs: number): number {
    const now = this.#now();
    const calls = (this.#calls.get(name) ?? []).filter((at) => at > now - windowMs);
    const oldest = calls.at(-count);
    this.#calls.set(name, oldest === undefined ? [...calls, now] : calls);
    return oldest === undefined ? 0 : oldest + windowMs - now;
  }
}
