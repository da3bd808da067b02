import { mapInlines } from './map-inlines.ts';
import { type Block, type Inline, type Link, text } from './nodes.ts';
import { type Rewriter, rewrite } from './rewrite.ts';

const SCHEME = 'mention:';

/** The user whom a link mentions; null for any other link. */
export function mentionedUser(url: string): string | null {
  if (!url.startsWith(SCHEME)) return null;
  try {
    return decodeURIComponent(url.slice(SCHEME.length));
  } catch {
    return null; // a lone percent sign: nobody's id
  }
}

/** The destination of a link that mentions a user. */
export const mentionUrl = (user: string): string => SCHEME + encodeURIComponent(user.toWellFormed());

/**
 * Makes mentions of what reads like one: `@Ann`, where `people` knows an Ann (name → user id). Code, links and names
 * that nobody bears stay as they are; a link that mentions somebody else loses its destination, so that a text cannot
 * call people who are not there. A text without any of this comes back as it is.
 */
export function linkMentions(markdown: string, people: ReadonlyMap<string, string>): string {
  if (!markdown.includes('@') && !markdown.includes(SCHEME)) return markdown;
  const linker = new Linker(people);
  return rewrite(markdown, ['@', SCHEME], linker);
}

/**
 * Writes every link that mentions somebody as `write` says, e.g. `<@U1>`, for platforms that take Markdown but mention
 * people in a form of their own. Undefined: the link's text stands for it. Nothing else changes.
 */
export function writeMentions(markdown: string, write: (user: string | null) => string | undefined): string {
  if (!markdown.includes(SCHEME)) return markdown;
  const writer = new Writer(write);
  return rewrite(markdown, [SCHEME], writer).replace(PLACE, (place, n: string) => writer.written[Number(n)] ?? place);
}

/** Holds a mention's place while Markdown is written, so that nothing in it is escaped. From a private use area. */
const PLACE = /\ue000(\d+)\ue001/g;

class Writer implements Rewriter {
  readonly written: string[] = [];
  readonly #write: (user: string | null) => string | undefined;
  changes = 0;

  constructor(write: (user: string | null) => string | undefined) {
    this.#write = write;
  }

  block = (block: Block): Block => mapInlines(block, (inlines) => this.#inlines(inlines));

  #inlines(inlines: readonly Inline[]): Inline[] {
    return inlines.flatMap((inline): Inline[] => {
      if (inline.type !== 'link' || !inline.url.startsWith(SCHEME)) {
        return [
          inline.type !== 'link' && 'children' in inline
            ? { ...inline, children: this.#inlines(inline.children) }
            : inline,
        ];
      }
      this.changes++;
      const written = this.#write(mentionedUser(inline.url));
      if (written === undefined) return inline.children;
      return [text(`\ue000${this.written.push(written) - 1}\ue001`)];
    });
  }
}

class Linker implements Rewriter {
  changes = 0;
  readonly #people: ReadonlyMap<string, string>;
  readonly #users: ReadonlySet<string>;
  /** Longest first, so that Ann Lee is not taken for Ann. */
  readonly #names: readonly string[];

  constructor(people: ReadonlyMap<string, string>) {
    this.#people = people;
    this.#users = new Set(people.values());
    this.#names = [...people.keys()].filter((name) => name !== '').sort((a, b) => b.length - a.length);
  }

  block = (block: Block): Block => mapInlines(block, (inlines) => this.#inlines(inlines));

  #inlines(inlines: readonly Inline[]): Inline[] {
    return inlines.flatMap((inline): Inline[] => {
      switch (inline.type) {
        case 'text':
          return this.#text(inline.value);
        case 'strong':
        case 'emphasis':
        case 'delete':
          return [{ ...inline, children: this.#inlines(inline.children) }];
        case 'link':
          return this.#link(inline);
        case 'inlineCode':
        case 'break':
        case 'image':
          return [inline];
        default:
          return inline satisfies never;
      }
    });
  }

  #link(link: Link): Inline[] {
    if (!link.url.startsWith(SCHEME)) return [link];
    const user = mentionedUser(link.url);
    if (user !== null && this.#users.has(user)) return [link];
    this.changes++;
    return link.children;
  }

  #text(value: string): Inline[] {
    const parts: Inline[] = [];
    let from = 0;
    for (let at = value.indexOf('@'); at >= 0; at = value.indexOf('@', at + 1)) {
      const name = this.#nameAt(value, at);
      const user = name === undefined ? undefined : this.#people.get(name);
      if (name === undefined || user === undefined) continue;
      if (at > from) parts.push(text(value.slice(from, at)));
      parts.push({ type: 'link', url: mentionUrl(user), children: [text(`@${name}`)] });
      this.changes++;
      from = at + 1 + name.length;
      at = from - 1;
    }
    if (from < value.length) parts.push(text(value.slice(from)));
    return parts;
  }

  #nameAt(value: string, at: number): string | undefined {
    // ann@example.com mentions nobody.
    if (WORD_END.test(value.slice(Math.max(0, at - 2), at))) return undefined;
    return this.#names.find((name) => value.startsWith(name, at + 1) && endsAt(value, at + 1 + name.length));
  }
}

/** Scripts without spaces, in which a name may stand right beside another word. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const WORD_END = new RegExp(`(?![${UNSPACED}])[\\p{L}\\p{N}_.]$`, 'u');
const WORD_START = new RegExp(`^(?![${UNSPACED}])[\\p{L}\\p{N}_]`, 'u');
const UNSPACED_END = new RegExp(`[${UNSPACED}]$`, 'u');

function endsAt(value: string, end: number): boolean {
  return UNSPACED_END.test(value.slice(0, end)) || !WORD_START.test(value.slice(end, end + 2));
}
