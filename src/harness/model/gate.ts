import type { Clock } from '../../base/clock.ts';
import { AntlerError } from '../../base/errors.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { BREAKER_REST_MS, BREAKER_THRESHOLD, MAX_CONCURRENT_CALLS } from './limits.ts';

/** How a call went, as far as the endpoint's health is concerned. `other`: says nothing about it. */
export type CallOutcome = 'ok' | 'outage' | 'other';

/**
 * The way into one endpoint, shared by every run of the process: so many calls at once, and after outages in a row
 * (the breaker is open) only one at a time, to find out whether it is back. A breaker that refused everybody for a
 * fixed time would keep people waiting after the endpoint has recovered.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #places = new Semaphore(MAX_CONCURRENT_CALLS);
  #outages = 0;
  #openedAt = 0;
  #probing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Failing, and looked after so recently that another model should be asked instead where there is one. */
  get isResting(): boolean {
    return this.isOpen && (this.#probing || this.#clock.now() - this.#openedAt < BREAKER_REST_MS);
  }

  get isOpen(): boolean {
    return this.#outages >= BREAKER_THRESHOLD;
  }

  /**
   * Waits for a place; the caller says how the call went by calling what this resolves to, exactly once.
   * @throws AntlerError `unavailable` while the breaker is open and a probe is under way; the signal's reason.
   */
  async enter(signal: AbortSignal): Promise<(outcome: CallOutcome) => void> {
    const isProbe = this.isOpen;
    if (isProbe) {
      if (this.#probing) throw new AntlerError('unavailable', 'the endpoint keeps failing', { retryable: true });
      this.#probing = true;
    }
    const leave = await this.#places.enter(signal).catch((thrown: unknown) => {
      if (isProbe) this.#probing = false;
      throw thrown;
    });
    return (outcome) => {
      if (isProbe) this.#probing = false;
      this.#note(outcome);
      leave();
    };
  }

  #note(outcome: CallOutcome): void {
    if (outcome === 'ok') this.#outages = 0;
    if (outcome !== 'outage') return;
    this.#outages++;
    if (this.isOpen) this.#openedAt = this.#clock.now();
  }
}
