/** Of all people together: sub-agents mostly wait for models, but each keeps a conversation in memory. */
const TOTAL_AT_ONCE = 32;

interface Line {
  inside: number;
  /** When somebody of it was let in last, counted in admissions; 0: never. */
  served: number;
  readonly waiting: { readonly atOnce: number; readonly enter: () => void }[];
}

/**
 * Who may work at once, in one process: so many for each person, and people by turns where the process is full, so
 * that somebody with many tasks does not keep others waiting.
 */
export class FairLimiter {
  readonly #total: number;
  readonly #lines = new Map<string, Line>();
  #inside = 0;
  #admissions = 0;

  constructor(total = TOTAL_AT_ONCE) {
    this.#total = total;
  }

  /** People who work or wait; nothing is kept of others. */
  get size(): number {
    return this.#lines.size;
  }

  /** Waits for a place; what it resolves to gives it back, once. Rejects with the signal's reason. */
  async enter(person: string, atOnce: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const line = this.#lines.get(person) ?? { inside: 0, served: 0, waiting: [] };
    this.#lines.set(person, line);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const place = { atOnce, enter: resolve };
    const giveUp = (): void => {
      const at = line.waiting.indexOf(place);
      if (at === -1) return; // it has just been let in
      line.waiting.splice(at, 1);
      this.#forget(person, line);
      reject(signal.reason);
    };
    line.waiting.push(place);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#admit();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#inside--;
      line.inside--;
      this.#forget(person, line);
      this.#admit();
    };
  }

  #admit(): void {
    while (this.#inside < this.#total) {
      const ready = [...this.#lines.values()].filter(({ inside, waiting }) => inside < (waiting[0]?.atOnce ?? 0));
      const [line] = ready.sort((a, b) => a.served - b.served);
      if (line === undefined) return;
      line.served = ++this.#admissions;
      line.inside++;
      this.#inside++;
      line.waiting.shift()?.enter();
    }
  }

  #forget(person: string, { inside, waiting }: Line): void {
    if (inside === 0 && waiting.length === 0) this.#lines.delete(person);
  }
}
