/**
 * Which of the fetched updates are taken in. Telegram confirms by one number, "all below", so it may only rise to the
 * first update that is not; what has been taken in above that comes again with the next poll and is known here.
 */
export class Ledger {
  readonly #updates = new Map<number, 'open' | 'done'>();

  /** False when the update is known already. */
  open(id: number): boolean {
    if (this.#updates.has(id)) return false;
    this.#updates.set(id, 'open');
    return true;
  }

  done(id: number): void {
    this.#updates.set(id, 'done');
  }

  get hasOpen(): boolean {
    return [...this.#updates.values()].some((state) => state === 'open');
  }

  /**
   * The `offset` that confirms all it can; undefined when there is nothing to confirm. Never a number kept from
   * before: after a week without updates their numbers start anew at random, and an old offset would hide them.
   */
  offset(): number | undefined {
    let offset: number | undefined;
    for (const [id, state] of [...this.#updates].sort(([a], [b]) => a - b)) {
      if (state === 'open') break;
      offset = id + 1;
    }
    return offset;
  }

  /** Telegram has answered a poll with this offset: what is below it will not come again. */
  confirmed(offset: number): void {
    for (const [id, state] of this.#updates) if (id < offset && state === 'done') this.#updates.delete(id);
  }
}
