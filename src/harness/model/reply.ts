import { CallAssembler } from './calls.ts';
import type { Chunk } from './chunk.ts';
import type { FinishReason, ModelReply, ModelUsage, TextSink } from './port.ts';
import { type ThoughtSplit, ThoughtSplitter } from './think.ts';

/** Puts an answer together from its chunks. */
export class ReplyAssembler {
  readonly #splitter: ThoughtSplitter;
  readonly #calls = new CallAssembler();
  #reasoning = '';
  #finish: FinishReason | undefined;
  #usage: ModelUsage | undefined;
  #closed = false;
  #begun = false;

  constructor(sink: TextSink, beginsInThought: boolean) {
    this.#splitter = new ThoughtSplitter(sink, beginsInThought);
  }

  add(chunk: Chunk): void {
    this.#begun = true;
    this.#reasoning += chunk.reasoning;
    if (chunk.text !== '') this.#splitter.push(chunk.text);
    for (const call of chunk.calls) this.#calls.add(call);
    this.#finish = chunk.finish ?? this.#finish;
    this.#usage = chunk.usage ?? this.#usage;
    this.#closed ||= chunk.closing;
  }

  /** The endpoint has said, in one way or another, that this is all. */
  get isMarkedEnded(): boolean {
    return this.#finish !== undefined || this.#closed;
  }

  get hasBegun(): boolean {
    return this.#begun;
  }

  /** The stream broke: shows what was still held back, as far as it is no thought. */
  breakOff(): void {
    this.#splitter.end(false);
  }

  finish(model: string, newCallId: (position: number) => string): ModelReply & Pick<ThoughtSplit, 'beganInThought'> {
    const finish = this.#finish ?? 'unknown';
    const { text, thoughts, beganInThought } = this.#splitter.end(finish !== 'length');
    return {
      model,
      text,
      reasoning: [this.#reasoning, thoughts].filter((part) => part.trim() !== '').join('\n'),
      toolCalls: this.#calls.finish(newCallId),
      finish,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      beganInThought,
    };
  }
}
