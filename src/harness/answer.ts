import type { TextSink } from './model/port.ts';
import type { HarnessEvent } from './port.ts';

const BETWEEN_STEPS = '\n\n';

/**
 * What the person sees of a run: the text of its steps, one below the other. Nothing that a model said to people
 * before it used a tool is taken back. At any moment {@link shown} is what the text events, applied in order, yield.
 */
export class Answer implements TextSink {
  readonly #emit: (event: HarnessEvent) => void;
  #earlier = '';
  #step = '';

  constructor(emit: (event: HarnessEvent) => void) {
    this.#emit = emit;
  }

  /** All of it. */
  get shown(): string {
    return this.#step === '' ? this.#earlier : this.#earlier + this.#gap + this.#step;
  }

  /** What this step has shown. */
  get step(): string {
    return this.#step;
  }

  beginStep(): void {
    this.#earlier = this.shown;
    this.#step = '';
  }

  append(text: string): void {
    if (text === '') return;
    const gap = this.#step === '' ? this.#gap : '';
    this.#step += text;
    this.#emit({ type: 'text', mode: 'append', text: gap + text });
  }

  replace(text: string): void {
    this.#step = text;
    this.#emit({ type: 'text', mode: 'replace', text: this.shown });
  }

  get #gap(): string {
    return this.#earlier === '' ? '' : BETWEEN_STEPS;
  }
}
