import { badRequest } from '../api-error.ts';
import type { EntityType, WireEntity } from '../wire.ts';
import { byteOffset, type FormattedText } from './builder.ts';

type Mark = '*' | '_' | '__' | '~' | '||' | '[' | '![' | '`' | '```';

const marks: Readonly<Record<Mark, { readonly type: EntityType; readonly name: string }>> = {
  '*': { type: 'bold', name: 'Bold' },
  _: { type: 'italic', name: 'Italic' },
  __: { type: 'underline', name: 'Underline' },
  '~': { type: 'strikethrough', name: 'Strikethrough' },
  '||': { type: 'spoiler', name: 'Spoiler' },
  '[': { type: 'text_link', name: 'TextUrl' },
  '![': { type: 'custom_emoji', name: 'CustomEmoji' },
  '`': { type: 'code', name: 'Code' },
  '```': { type: 'pre', name: 'Pre' },
};

const reserved = new Set('_*[]()~`>#+-=|{}.!');
// Everything from 1 to 126 may stand behind a backslash; in practice that is ASCII without the NUL.
const escapable = /^\p{ASCII}$/u;

interface Open {
  readonly mark: Mark;
  readonly offset: number;
  readonly byte: number;
}

const refuse = (reason: string): Error => badRequest(`can't parse entities: ${reason}`);
const mustEscape = (character: string): Error =>
  refuse(`Character '${character}' is reserved and must be escaped with the preceding '\\'`);

/** The mark at `index`, the longest first. */
function markAt(source: string, index: number): Mark | undefined {
  for (const mark of ['```', '__', '||', '![', '`', '*', '_', '~', '['] as const)
    if (source.startsWith(mark, index)) return mark;
  return undefined;
}

/**
 * Reads `parse_mode: MarkdownV2`. Source: https://core.telegram.org/bots/api#markdownv2-style; the errors are worded as
 * the real server words them, with places in UTF-8 bytes.
 */
export function parseMarkdownV2(source: string): FormattedText {
  return new MarkdownV2(source).parse();
}

class MarkdownV2 {
  readonly #source: string;
  readonly #entities: WireEntity[] = [];
  readonly #open: Open[] = [];
  #quote: { readonly offset: number } | undefined;
  #text = '';
  #index = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): FormattedText {
    while (this.#index < this.#source.length) this.#step();
    this.#endQuote(false);
    const open = this.#open.at(-1);
    if (open !== undefined)
      throw refuse(`Can't find end of ${marks[open.mark].name} entity at byte offset ${open.byte}`);
    return { text: this.#text, entities: this.#entities };
  }

  #step(): void {
    const character = this.#source[this.#index] ?? '';
    const next = this.#source[this.#index + 1] ?? '';
    if (character === '\\' && escapable.test(next)) {
      this.#take(next, 2);
      return;
    }
    const inside = this.#open.at(-1)?.mark;
    if (inside === '`' || inside === '```') {
      this.#inCode(inside, character);
      return;
    }
    if (character === '>' && this.#atLineStart()) {
      this.#quote ??= { offset: this.#text.length };
      this.#index += 1;
      return;
    }
    if (character === '\n') {
      this.#take(character, 1);
      if (this.#quote !== undefined && this.#source[this.#index] !== '>') this.#endQuote(false, 1);
      return;
    }
    if (!reserved.has(character)) {
      this.#take(character, 1);
      return;
    }
    this.#reserved(character, inside);
  }

  #reserved(character: string, inside: Mark | undefined): void {
    if (character === ']' && (inside === '[' || inside === '![')) {
      this.#closeLink(inside);
      return;
    }
    const mark = markAt(this.#source, this.#index);
    if (mark === undefined) throw mustEscape(character);
    if (mark === '||' && inside !== '||' && this.#quote !== undefined && this.#lineEndsAfter(2)) {
      this.#index += 2;
      this.#endQuote(true);
      return;
    }
    if (mark === inside) {
      this.#close(mark.length);
      return;
    }
    this.#open.push({ mark, offset: this.#text.length, byte: byteOffset(this.#source, this.#index) });
    this.#index += mark.length;
  }

  #inCode(mark: '`' | '```', character: string): void {
    if (this.#source.startsWith(mark, this.#index)) this.#close(mark.length);
    else if (character === '`' && mark === '`') throw mustEscape(character);
    else this.#take(character, 1);
  }

  #close(length: number): void {
    const open = this.#open.pop();
    this.#index += length;
    if (open === undefined) return;
    const entity: WireEntity = {
      type: marks[open.mark].type,
      offset: open.offset,
      length: this.#text.length - open.offset,
    };
    this.#entities.push(entity);
    if (open.mark === '```') this.#readLanguage(entity);
  }

  /** The first word after the fence is the language when a line break follows it. */
  #readLanguage(entity: WireEntity): void {
    const body = this.#text.slice(entity.offset);
    const [first, language] = /^([^\s]*)\r?\n/.exec(body) ?? [];
    if (first === undefined) return;
    if (language !== undefined && language !== '') entity.language = language;
    this.#text = this.#text.slice(0, entity.offset) + body.slice(first.length);
    entity.length -= first.length;
  }

  #closeLink(mark: '[' | '!['): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    this.#index += 1;
    const url = this.#source[this.#index] === '(' ? this.#readUrl() : undefined;
    const at = { offset: open.offset, length: this.#text.length - open.offset };
    if (mark === '![') {
      const id = /^tg:\/\/emoji\?id=(\d+)$/.exec(url ?? '')?.[1];
      if (id === undefined) throw refuse('Custom emoji URL must have a valid emoji identifier');
      this.#entities.push({ type: 'custom_emoji', ...at, custom_emoji_id: id });
      return;
    }
    // Without an address the label itself is tried as one, and stays plain text when it is none.
    const target = url ?? this.#text.slice(open.offset);
    if (/^[a-z][a-z0-9+.-]*:\S+$/i.test(target) || /^[^\s.]+(\.[^\s.]+)+/.test(target))
      this.#entities.push({ type: 'text_link', ...at, url: target });
  }

  #readUrl(): string {
    const begin = byteOffset(this.#source, this.#index);
    this.#index += 1;
    let url = '';
    for (; this.#index < this.#source.length; this.#index += 1) {
      const character = this.#source[this.#index] ?? '';
      const next = this.#source[this.#index + 1] ?? '';
      if (character === ')') {
        this.#index += 1;
        return url;
      }
      if (character === '\\' && escapable.test(next)) {
        url += next;
        this.#index += 1;
      } else url += character;
    }
    throw refuse(`Can't find end of a URL at byte offset ${begin}`);
  }

  #endQuote(expandable: boolean, trailing = 0): void {
    if (this.#quote === undefined) return;
    const { offset } = this.#quote;
    this.#quote = undefined;
    this.#entities.push({
      type: expandable ? 'expandable_blockquote' : 'blockquote',
      offset,
      length: this.#text.length - offset - trailing,
    });
  }

  #atLineStart(): boolean {
    const line = this.#source.slice(this.#source.lastIndexOf('\n', this.#index - 1) + 1, this.#index);
    // An empty bold keeps two quotes apart: that is how the documentation separates them.
    return this.#index === 0 || line === '' || line === '**';
  }

  #lineEndsAfter(length: number): boolean {
    const after = this.#source[this.#index + length];
    return after === undefined || after === '\n';
  }

  #take(text: string, length: number): void {
    this.#text += text;
    this.#index += length;
  }
}
