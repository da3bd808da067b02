/** Runs the jobs of one lane in order and different lanes side by side. */
export class Lanes {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `job` after all earlier ones of `lane`, however those ended. */
  run<Result>(lane: string, job: () => Promise<Result>): Promise<Result> {
    const result = (this.#tails.get(lane) ?? Promise.resolve()).then(job);
    const over = (): void => {
      if (this.#tails.get(lane) === tail) this.#tails.delete(lane);
    };
    const tail: Promise<void> = result.then(over, over); // a failure is the caller's; the next job does not care
    this.#tails.set(lane, tail);
    return result;
  }

  /** Resolves when all that was handed in is over. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}
