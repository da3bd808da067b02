/** Lets so many jobs run at once; the others wait in order, up to a bound. */
export class Slots {
  readonly #free: (() => void)[] = [];
  readonly #most: number;
  readonly #maxWaiting: number;
  #taken = 0;

  constructor(most: number, maxWaiting: number) {
    this.#most = most;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs `job` in its turn; false, and nothing is done, when too many wait already. */
  async run(job: () => Promise<void>): Promise<boolean> {
    if (this.#taken < this.#most) this.#taken++;
    else if (this.#free.length >= this.#maxWaiting) return false;
    else await new Promise<void>((resolve) => this.#free.push(resolve)); // the slot is handed on, still taken
    try {
      await job();
      return true;
    } finally {
      const next = this.#free.shift();
      if (next === undefined) this.#taken--;
      else next();
    }
  }
}
