import type { TextSink } from './port.ts';

const TAG = /<(\/?)(think|thinking|thought)>/iy;
/** What may still grow into a tag. */
const TAG_START = /^<\/?[a-z]{0,8}$/i;
const LONGEST_TAG = '</thinking>'.length;

export interface ThoughtSplit {
  readonly text: string;
  readonly thoughts: string;
  /**
   * True: a closing tag came without an opening one, as from a model that begins every answer in thought. False: a whole
   * answer came without, so that it does not. Null: it cannot be told.
   */
  readonly beganInThought: boolean | null;
}

/**
 * Parts a model's thoughts, written as `<think>…</think>` into its text, from what people may read, while the text
 * streams in. No part of a tag is shown and taken back; tags within Markdown code are text.
 *
 * Some chat templates write the opening tag themselves, so that the model's text begins in thought and only the
 * closing tag shows it. Then what was shown is replaced; for a model known to do so (`beginsInThought`) nothing is
 * shown until the closing tag or the end.
 */
export class ThoughtSplitter {
  readonly #sink: TextSink;
  #held: boolean;
  #state: 'text' | 'thought' = 'text';
  #pending = '';
  #text = '';
  #thoughts = '';
  #beganInThought = false;
  /** Where in `#text` a thought began in the middle of a line, for text that only names the tag. */
  #openedMidLine: { readonly tag: string; readonly thoughtsBefore: number } | null = null;
  #code = new CodeTracker();

  constructor(sink: TextSink, beginsInThought = false) {
    this.#sink = sink;
    this.#held = beginsInThought;
  }

  push(piece: string): void {
    this.#pending += piece;
    let shown = '';
    for (;;) {
      const at = this.#pending.indexOf('<');
      const plain = at === -1 ? this.#pending : this.#pending.slice(0, at);
      shown += this.#take(plain);
      this.#pending = this.#pending.slice(plain.length);
      if (this.#pending === '') break;
      TAG.lastIndex = 0;
      const tag = TAG.exec(this.#pending);
      if (tag === null) {
        if (this.#pending.length < LONGEST_TAG && TAG_START.test(this.#pending)) break;
        shown += this.#take('<');
        this.#pending = this.#pending.slice(1);
        continue;
      }
      this.#pending = this.#pending.slice(tag[0].length);
      shown = this.#tag(tag[0], tag[1] === '/', shown);
    }
    this.#show(shown);
  }

  /** The model has finished. `complete`: by itself, not by a break or a limit. */
  end(complete: boolean): ThoughtSplit {
    let shown = this.#take(this.#pending);
    this.#pending = '';
    if (this.#state === 'thought' && complete && this.#openedMidLine !== null) {
      // "Use <think> to …": never closed, in the middle of a sentence of a finished answer; it was text.
      const { tag, thoughtsBefore } = this.#openedMidLine;
      shown += tag + this.#thoughts.slice(thoughtsBefore);
      this.#text += shown;
      this.#thoughts = this.#thoughts.slice(0, thoughtsBefore);
    }
    if (this.#held) {
      this.#held = false;
      // Broken off before the closing tag: all of it may be thought.
      if (!complete) {
        this.#thoughts += this.#text;
        this.#text = '';
      }
      shown = this.#text;
    }
    if (shown !== '') this.#sink.append(shown);
    const isPlainAnswer = complete && this.#text.trim() !== '';
    const beganInThought = this.#beganInThought || (isPlainAnswer ? false : null);
    return { text: this.#text, thoughts: this.#thoughts.trim(), beganInThought };
  }

  /** Adds plain text to what it is part of, and returns how much of it may be shown. */
  #take(plain: string): string {
    if (plain === '') return '';
    if (this.#state === 'thought') {
      this.#thoughts += plain;
      return '';
    }
    this.#code.push(plain);
    // Line ends around thoughts are no part of the answer.
    const text = this.#text === '' ? plain.trimStart() : plain;
    this.#text += text;
    return text;
  }

  #tag(tag: string, closing: boolean, shown: string): string {
    if (this.#state === 'thought') {
      if (closing) {
        this.#state = 'text';
        this.#openedMidLine = null;
      } else this.#thoughts += tag;
      return shown;
    }
    if (this.#code.inside) return shown + this.#take(tag);
    if (!closing) {
      this.#state = 'thought';
      if (this.#text === '') this.#held = false;
      const midLine = this.#text !== '' && !this.#text.endsWith('\n');
      this.#openedMidLine = midLine ? { tag, thoughtsBefore: this.#thoughts.length } : null;
      return shown;
    }
    this.#beganInThought = true;
    this.#thoughts += this.#text;
    const wasShown = this.#text.length > shown.length && !this.#held;
    this.#text = '';
    this.#held = false;
    this.#code = new CodeTracker();
    if (wasShown) this.#sink.replace('');
    return '';
  }

  #show(text: string): void {
    if (text !== '' && !this.#held) this.#sink.append(text);
  }
}

/** Follows Markdown's backticks well enough to know whether a tag stands in code. */
class CodeTracker {
  #fence = 0;
  #span = 0;
  #run = 0;
  #lineIsBlank = true;

  push(text: string): void {
    for (const char of text) {
      if (char === '`') {
        this.#run++;
        continue;
      }
      this.#endRun();
      if (char === '\n') {
        this.#lineIsBlank = true;
        // A forgotten backtick must not turn the rest of the answer into code.
        this.#span = 0;
      } else if (char !== ' ') this.#lineIsBlank = false;
    }
  }

  get inside(): boolean {
    this.#endRun();
    return this.#fence > 0 || this.#span > 0;
  }

  #endRun(): void {
    const run = this.#run;
    if (run === 0) return;
    this.#run = 0;
    if (this.#fence > 0) {
      if (this.#lineIsBlank && run >= this.#fence) this.#fence = 0;
    } else if (run >= 3 && this.#lineIsBlank) this.#fence = run;
    else if (this.#span === 0) this.#span = run;
    else if (this.#span === run) this.#span = 0;
    this.#lineIsBlank = false;
  }
}
