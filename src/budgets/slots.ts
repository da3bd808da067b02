import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Usage } from '../store/port.ts';

/** A slot of a process that was killed is free again after this; meanwhile whoever takes its turn over has it. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

export interface SlotKeeperOptions {
  readonly usage: Pick<Usage, 'renew' | 'leave'>;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Keeps the slots of this process's runs while they last. */
export class SlotKeeper {
  readonly #options: SlotKeeperOptions;
  readonly #stopping = new AbortController();
  readonly #holders = new Set<string>();
  #keeping: Promise<void> | null = null;

  constructor(options: SlotKeeperOptions) {
    this.#options = options;
  }

  /** Until when a slot counts that is taken now. */
  leaseFrom(at: number): number {
    return at + LEASE_MS;
  }

  /** Renews the holder's slots from now on. */
  keep(holder: string): void {
    this.#holders.add(holder);
    this.#keeping ??= this.#renew();
  }

  /** Gives them back. When that fails they run out by themselves. */
  async leave(holder: string): Promise<void> {
    if (!this.#holders.delete(holder)) return;
    await this.#options.usage.leave(holder).catch((error: unknown) => this.#warn(error));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#keeping;
  }

  async #renew(): Promise<void> {
    const { usage, clock } = this.#options;
    const { signal } = this.#stopping;
    while (this.#holders.size > 0 && !signal.aborted) {
      await clock.sleep(RENEW_EVERY_MS, signal).catch(() => {}); // woken by stop()
      if (signal.aborted) return;
      const until = this.leaseFrom(clock.now());
      await usage.renew([...this.#holders], until).catch((error: unknown) => this.#warn(error));
    }
    // Nothing comes between the last look and this: whoever keeps a slot later begins again.
    this.#keeping = null;
  }

  #warn(error: unknown): void {
    this.#options.log.warn({ problem: asAntlerError(error).message }, 'slots of runs were not written down');
  }
}
