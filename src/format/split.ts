import { cutBlocks, type Fill } from './cut.ts';
import { type Block, type Doc, doc } from './nodes.ts';
import { parse } from './parse.ts';
import { serialize } from './serialize.ts';

export interface SplitOptions {
  /** How much one message holds, in the unit of `size`. */
  readonly limit: number;
  /** How much a document takes once the platform's renderer is through with it. */
  readonly size: (document: Doc) => number;
}

/** Each further attempt aims this much lower. */
const RETREAT = 0.85;

/**
 * Cuts Markdown into parts that each fit into one message and each stand alone: fences are closed and reopened with
 * their language, table headers repeated, list numbers carried on, styles and links continued. Cuts fall between
 * blocks, items, rows, lines or sentences where possible, and white space at a cut is dropped; nothing else is. The
 * first parts of a growing text stay as they are while it grows. What fits comes back untouched.
 *
 * @returns at least one part; a part exceeds `limit` only if a single character does.
 */
export function split(markdown: string, { limit, size }: SplitOptions): string[] {
  const document = parse(markdown);
  if (size(document) <= limit) return [markdown];
  let parts: string[] = [];
  // Writing a part as Markdown and reading it again may change its size a little; then it has to aim lower.
  for (let goal = limit; goal >= 1; goal = Math.floor(goal * RETREAT)) {
    parts = pack(document.children, (blocks) => size(doc([...blocks])) / goal)
      .map((blocks) => serialize(doc([...blocks])).trimEnd())
      .filter((part) => part !== '');
    if (parts.every((part) => size(parse(part)) <= limit)) break;
  }
  return parts.length === 0 ? [markdown] : parts;
}

function pack(blocks: readonly Block[], fill: Fill): (readonly Block[])[] {
  const parts: (readonly Block[])[] = [];
  let rest = blocks;
  while (rest.length > 0) {
    const cut = cutBlocks(rest, fill, true) ?? { head: rest.slice(0, 1), tail: rest.slice(1) };
    if (cut.head.length > 0) parts.push(cut.head);
    rest = cut.tail;
  }
  return parts;
}
