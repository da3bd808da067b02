import type { Clock } from '../base/clock.ts';

export interface DraftPumpOptions {
  /** Shows this stand of the answer; an empty text means: typing. Its failure is the pump's to swallow. */
  readonly show: (text: string) => Promise<void>;
  /** At least this long between two stands, in milliseconds. */
  readonly minIntervalMs: number;
  /** How long a typing indicator lasts, in milliseconds; 0: the platform has none. */
  readonly typingLastsMs: number;
  /** False: only typing is shown, the text comes once it is final. */
  readonly streams: boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/** An answer that is complete within this time is shown once instead of being sent and then edited. */
const FIRST_SHOWING_MS = 500;
/** A model that answers at once needs no typing indicator. */
const FIRST_TYPING_MS = 120;

/**
 * Shows a growing answer at the platform's pace: the newest stand, never two at once, never an empty one; typing
 * until there is text. Best effort: the final text does not depend on it.
 */
export class DraftPump {
  readonly #options: DraftPumpOptions;
  #text = '';
  #shown = '';
  #timer: NodeJS.Timeout | undefined;
  #showing = false;
  #closed = false;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(options: DraftPumpOptions) {
    this.#options = options;
    if (options.typingLastsMs > 0) this.#wait(FIRST_TYPING_MS);
  }

  /** The answer as it stands now. */
  update(text: string): void {
    const first = this.#text === '' && text !== '';
    this.#text = text;
    if (this.#closed || !this.#options.streams || this.#showing) return;
    if (first) this.#wait(Math.min(FIRST_SHOWING_MS, this.#options.minIntervalMs));
    else if (this.#timer === undefined) this.#wait(this.#untilNext());
  }

  /** May any of the text be seen? */
  get hasShown(): boolean {
    return this.#shown !== '';
  }

  /** No stand is shown after this. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #untilNext(): number {
    return Math.max(0, this.#lastAt + this.#options.minIntervalMs - this.#options.clock.now());
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#show(), ms);
  }

  async #show(): Promise<void> {
    this.#timer = undefined;
    const { show, typingLastsMs, streams, clock } = this.#options;
    const text = streams ? this.#text : '';
    if (text === this.#shown && text !== '') return;
    this.#showing = true;
    this.#shown = text; // from here on it may be seen
    this.#lastAt = clock.now();
    await show(text).catch(() => {}); // a lost stand is replaced by the next one or by the final text
    this.#showing = false;
    if (this.#closed) return;
    if (streams && this.#text !== text) this.#wait(this.#untilNext());
    else if (text === '' && typingLastsMs > 0) this.#wait(typingLastsMs * 0.8);
  }
}
