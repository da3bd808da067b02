import { flatText, halve, sliceInline } from './inline-slice.ts';
import { largest } from './largest.ts';
import {
  type Block,
  type Blockquote,
  type Code,
  type Heading,
  type List,
  type Paragraph,
  paragraph,
  type Table,
} from './nodes.ts';
import { cutText } from './text-cut.ts';

/** How much of a message these blocks fill: 1 is full, more does not fit. Grows with what is added. */
export type Fill = (blocks: readonly Block[]) => number;

/** `head` fits, `tail` is what is left; together they show what the cut block showed. */
export interface Cut {
  readonly head: readonly Block[];
  readonly tail: readonly Block[];
}

/** From here on a message counts as full enough to leave the rest of it empty rather than cut a code block or item. */
const FULL_ENOUGH = 0.5;

/**
 * Takes as many blocks as fit, cutting the one that is across the border. `force`: nothing is in front of them, so a
 * cut has to be found however ugly it is. Undefined when there is none.
 */
export function cutBlocks(blocks: readonly Block[], fill: Fill, force: boolean): Cut | undefined {
  const whole = largest(blocks.length, (count) => fill(blocks.slice(0, count)) <= 1);
  const next = blocks[whole];
  if (next === undefined) return { head: blocks, tail: [] };
  const front = blocks.slice(0, whole);
  const keepWhole = whole > 0 && (next.type === 'code' || next.type === 'table') && fill(front) >= FULL_ENOUGH;
  const cut = keepWhole ? undefined : cutBlock(next, (head) => fill([...front, ...head]), force && whole === 0);
  if (cut !== undefined) return { head: [...front, ...cut.head], tail: [...cut.tail, ...blocks.slice(whole + 1)] };
  // A heading belongs to what follows it.
  const kept = whole > 1 && front.at(-1)?.type === 'heading' ? whole - 1 : whole;
  return kept === 0 ? undefined : { head: blocks.slice(0, kept), tail: blocks.slice(kept) };
}

function cutBlock(block: Block, fill: Fill, force: boolean): Cut | undefined {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return cutFlow(block, fill, force);
    case 'code':
      return cutCode(block, fill, force);
    case 'list':
      return cutList(block, fill, force);
    case 'table':
      return cutTable(block, fill, force);
    case 'blockquote':
      return cutQuote(block, fill, force);
    case 'thematicBreak':
      return undefined;
    default:
      return block satisfies never;
  }
}

function cutFlow(block: Paragraph | Heading, fill: Fill, force: boolean): Cut | undefined {
  const flat = flatText(block.children);
  const part = (to: number): Block => ({ ...block, children: sliceInline(block.children, 0, to) });
  const fits = largest(flat.length, (to) => fill([part(to)]) <= 1);
  const at = cutText(flat, fits, force ? 'any' : fill([]) < FULL_ENOUGH ? 'word' : 'sentence');
  if (at === undefined) return undefined;
  const [front, back] = halve(block.children, at);
  const head = front.length === 0 ? [] : [{ ...block, children: front }];
  const tail = back.length === 0 ? [] : [{ ...block, children: back }];
  return head.length === 0 && !force ? undefined : { head, tail };
}

/** Between lines where it can, so that every part is a fence of its own with the same language. */
function cutCode(block: Code, fill: Fill, force: boolean): Cut | undefined {
  const lines = block.value.split('\n');
  const part = (value: string): Code => ({ ...block, value });
  const count = largest(lines.length - 1, (n) => fill([part(lines.slice(0, n).join('\n'))]) <= 1);
  if (count > 0) {
    return { head: [part(lines.slice(0, count).join('\n'))], tail: [part(lines.slice(count).join('\n'))] };
  }
  if (!force) return undefined;
  const fits = largest(block.value.length, (n) => fill([part(block.value.slice(0, n))]) <= 1);
  const at = cutText(block.value, fits, 'any') ?? block.value.length;
  const tail = block.value.slice(at);
  return { head: [part(block.value.slice(0, at))], tail: tail === '' ? [] : [part(tail)] };
}

/** Between items; an item cut inside goes on as plain blocks, so that no bullet or number appears twice. */
function cutList(block: List, fill: Fill, force: boolean): Cut | undefined {
  const items = block.children;
  const front = (count: number): List => ({ ...block, children: items.slice(0, count) });
  const rest = (from: number): Block[] =>
    from >= items.length ? [] : [{ ...block, start: block.start + from, children: items.slice(from) }];
  const whole = largest(items.length - 1, (count) => fill([front(count)]) <= 1);
  const next = items[whole];
  const keepWhole = whole > 0 && fill([front(whole)]) >= FULL_ENOUGH;
  if (next !== undefined && !keepWhole) {
    const withItem = (children: readonly Block[]): List => ({
      ...block,
      children: [...items.slice(0, whole), { ...next, children: [...children] }],
    });
    const cut = cutBlocks(next.children, (head) => fill([withItem(head)]), force && whole === 0);
    if (cut !== undefined && cut.head.length > 0) {
      return { head: [withItem(cut.head)], tail: [...cut.tail, ...rest(whole + 1)] };
    }
  }
  return whole === 0 ? undefined : { head: [front(whole)], tail: rest(whole) };
}

/** Between rows, the header again in each part. A row that no message can hold is told cell by cell. */
function cutTable(block: Table, fill: Fill, force: boolean): Cut | undefined {
  const [header, ...rows] = block.children;
  if (header === undefined) return undefined;
  const part = (some: typeof rows): Table => ({ ...block, children: [header, ...some] });
  const whole = largest(rows.length, (count) => fill([part(rows.slice(0, count))]) <= 1);
  if (whole > 0 && whole < rows.length) return { head: [part(rows.slice(0, whole))], tail: [part(rows.slice(whole))] };
  if (!force) return undefined;
  const [first, ...later] = rows;
  const cells = [header, ...(first === undefined ? [] : [first])]
    .flatMap((row) => row.children)
    .filter((cell) => cell.children.length > 0)
    .map((cell) => paragraph(cell.children));
  return cutBlocks([...cells, ...(later.length === 0 ? [] : [part(later)])], fill, true);
}

function cutQuote(block: Blockquote, fill: Fill, force: boolean): Cut | undefined {
  const part = (children: readonly Block[]): Blockquote => ({ ...block, children: [...children] });
  const cut = cutBlocks(block.children, (head) => fill([part(head)]), force);
  if (cut === undefined || cut.head.length === 0) return undefined;
  return { head: [part(cut.head)], tail: cut.tail.length === 0 ? [] : [part(cut.tail)] };
}
