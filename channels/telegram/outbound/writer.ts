/** A formatted stretch of text; `offset` and `length` in UTF-16 code units. https://core.telegram.org/bots/api#messageentity */
export interface Entity {
  readonly type: 'bold' | 'italic' | 'strikethrough' | 'code' | 'pre' | 'text_link' | 'text_mention' | 'blockquote';
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
  /** Of a `text_mention`; its id is all that the API reads of it. */
  readonly user?: { readonly id: number };
}

export interface Rendered {
  readonly text: string;
  readonly entities: readonly Entity[];
}

/** Collects text and the entities over it. */
export class Writer {
  #text = '';
  readonly #entities: Entity[] = [];
  #indent = '';
  #atLineStart = false;

  /** Adds text; its lines after the first begin with the indent in force, unless they are empty. */
  write(value: string): void {
    value.split('\n').forEach((line, index) => {
      if (index > 0) {
        this.#text += '\n';
        this.#atLineStart = true;
      }
      if (line === '') return;
      this.#beginLine();
      this.#text += line;
    });
  }

  #beginLine(): void {
    if (this.#atLineStart) this.#text += this.#indent;
    this.#atLineStart = false;
  }

  /** Runs `write` with lines indented by `indent` more; null takes all indents away. */
  indented(indent: string | null, write: () => void): void {
    const before = this.#indent;
    this.#indent = indent === null ? '' : before + indent;
    write();
    this.#indent = before;
  }

  /**
   * Marks what `write` writes. Code may not lie inside another style
   * (https://core.telegram.org/bots/api#formatting-options), so styles and links leave it out.
   */
  mark(kind: Omit<Entity, 'offset' | 'length'>, write: () => void): void {
    this.#beginLine();
    const offset = this.#text.length;
    const inner = this.#entities.length;
    write();
    const end = this.#text.length;
    const holes = isBlock(kind.type) ? [] : this.#entities.slice(inner).filter(({ type }) => isCode(type));
    let from = offset;
    for (const hole of [...holes, { offset: end, length: 0 }]) {
      if (hole.offset > from) this.#entities.push({ ...kind, offset: from, length: hole.offset - from });
      from = hole.offset + hole.length;
    }
  }

  done(): Rendered {
    const entities = [...this.#entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
    // Telegram refuses text that is not UTF-16; the replacement is as long as what it replaces.
    return { text: this.#text.toWellFormed(), entities };
  }
}

const isCode = (type: Entity['type']): boolean => type === 'code' || type === 'pre';
const isBlock = (type: Entity['type']): boolean => type === 'blockquote' || isCode(type);
