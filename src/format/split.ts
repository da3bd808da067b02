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
  const parts: string[] = [];
  let rest: readonly Block[] = document.children;
  while (rest.length > 0) {
    const { part, tail } = nextPart(rest, limit, size);
    if (part !== '') parts.push(part);
    rest = tail;
  }
  return parts.length === 0 ? [markdown] : parts;
}

interface Part {
  readonly part: string;
  readonly tail: readonly Block[];
}

/** Writing a part as Markdown and reading it again may change its size a little; then it has to aim lower. */
function nextPart(blocks: readonly Block[], limit: number, size: (document: Doc) => number): Part {
  for (let goal = limit; ; goal = Math.floor(goal * RETREAT)) {
    const fill: Fill = (some) => size(doc([...some])) / Math.max(1, goal);
    const { head, tail } = cutBlocks(blocks, fill, true) ?? { head: blocks.slice(0, 1), tail: blocks.slice(1) };
    const part = serialize(doc([...head])).trimEnd();
    if (goal <= 1 || size(parse(part)) <= limit) return { part, tail };
  }
}
