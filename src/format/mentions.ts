import { type Block, doc, type Inline, type Link, text } from './nodes.ts';
import { readingsOf } from './parse.ts';
import { serialize } from './serialize.ts';

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
  return readingsOf(markdown)
    .map(({ source, blocks, read }) => {
      if (read === 'notAtAll' || !(source.includes('@') || source.includes(SCHEME))) return source;
      const before = linker.changes;
      const linked = blocks.map((block) => linker.block(block));
      if (linker.changes === before) return source;
      return `${/^\n*/.exec(source)?.[0] ?? ''}${serialize(doc(linked)).trimEnd()}${/\s*$/.exec(source)?.[0] ?? ''}`;
    })
    .join('');
}

class Linker {
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

  block(block: Block): Block {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return { ...block, children: this.#inlines(block.children) };
      case 'blockquote':
        return { ...block, children: block.children.map((child) => this.block(child)) };
      case 'list':
        return {
          ...block,
          children: block.children.map((item) => ({
            ...item,
            children: item.children.map((child) => this.block(child)),
          })),
        };
      case 'table':
        return {
          ...block,
          children: block.children.map((row) => ({
            ...row,
            children: row.children.map((cell) => ({ ...cell, children: this.#inlines(cell.children) })),
          })),
        };
      case 'code':
      case 'thematicBreak':
        return block;
      default:
        return block satisfies never;
    }
  }

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
