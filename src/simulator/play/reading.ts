import type { Look } from './port.ts';

/** A message while it is read: its words, and how parts of them look. */
export class Reading {
  readonly looks: Look[] = [];
  text = '';
  #indent = '';

  /** Further lines begin where the ones around them do. */
  add(words: string): void {
    this.text += words.replaceAll('\n', `\n${this.#indent}`);
  }

  /** All that `write` adds looks so. */
  look(kind: Look['kind'], write: () => void, more: Pick<Look, 'url' | 'user'> = {}): void {
    const offset = this.text.length;
    const place = this.looks.length;
    write();
    const length = this.text.length - offset;
    if (length > 0) this.looks.splice(place, 0, { kind, offset, length, ...more });
  }

  /** The lines that `write` adds below the first one are indented. */
  indented(indent: string, write: () => void): void {
    const outer = this.#indent;
    this.#indent += indent;
    write();
    this.#indent = outer;
  }
}
