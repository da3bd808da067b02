import type { Nodes, Root } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Block, Inline } from './nodes.ts';
import { readFence, readProse } from './quick.ts';
import { settle } from './settle.ts';
import { type TableSource, tableOf, tableSource } from './table-source.ts';
import { COLUMNS_MAX, weigh } from './weight.ts';

/** What a segment of Markdown says. */
export interface Reading {
  readonly blocks: readonly Block[];
  /** The last thing in it that holds text: what an answer that is still growing stopped in. */
  readonly leaf: Leaf;
  /** Microseconds of CPU that reading it takes, about. */
  readonly weight: number;
  /** `plainly`: without a parser; `notAtAll`: it is shown as it was written. */
  readonly read: 'parsed' | 'plainly' | 'notAtAll';
}

export interface Leaf {
  /** `other` is never left unfinished. */
  readonly type: 'paragraph' | 'heading' | 'tableCell' | 'code' | 'other';
  /** Offset in the segment. */
  readonly start: number;
}

const options: Options = {
  // One tilde means "about" in prose (`~5`, 好的~) far more often than it means struck out.
  extensions: [gfm({ singleTilde: false })],
  // What finds addresses in finished text sees no escapes and leaves no positions; the tokenizer has found them before.
  mdastExtensions: gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension),
};

/** Markdown as mdast with source positions, references and raw HTML still in it. Unbounded: to be weighed first. */
export const parseTree = (markdown: string): Root => fromMarkdown(markdown, options);

/** Heavier segments are not read but shown as they were written. */
const WEIGHT_MAX = 100_000;
const CELLS_MAX = 5_000;
/** What each character costs without the parser. */
const QUICK_COST = 0.02;

/** Reads a segment that needs no parser. */
export function readQuickly(segment: string): Reading | undefined {
  const rest = { weight: segment.length * QUICK_COST, read: 'plainly' as const };
  const prose = readProse(segment);
  if (prose !== undefined) return { blocks: prose, leaf: { type: 'other', start: 0 }, ...rest };
  const fence = readFence(segment);
  return fence && { blocks: [fence], leaf: { type: 'code', start: 0 }, ...rest };
}

/** Reads any segment, in bounded time. */
export function readSegment(segment: string): Reading {
  const table = tableSource(segment);
  return table === undefined ? readWhole(segment, WEIGHT_MAX) : readTable(segment, table);
}

/** Reads Markdown, unless it is heavier than `max`. */
export function readWhole(markdown: string, max: number): Reading {
  const weight = weigh(markdown);
  if (weight > max) return asWritten(markdown);
  const tree = parseTree(markdown);
  return { blocks: settle(tree).children, leaf: leafOf(tree), weight, read: 'parsed' };
}

/** Shows Markdown as the text it is. */
export function asWritten(markdown: string): Reading {
  const value = markdown.replaceAll('\0', '\ufffd').replace(/^\n+/, '').trimEnd();
  return {
    blocks: [{ type: 'code', lang: null, meta: null, value }],
    leaf: { type: 'other', start: 0 },
    weight: markdown.length * QUICK_COST,
    read: 'notAtAll',
  };
}

function readTable(segment: string, source: TableSource): Reading {
  const cells = source.rows.reduce((sum, row) => sum + row.length, 0);
  const headings = source.marked.map((cell) => `# ${cell} #`).join('\n');
  const weight = segment.length * QUICK_COST + (headings === '' ? 0 : weigh(headings));
  if (cells > CELLS_MAX || source.columns > COLUMNS_MAX || weight > WEIGHT_MAX) return asWritten(segment);
  const marked = headings === '' ? [] : settle(parseTree(headings)).children.map(inlinesOf);
  const leaf: Leaf = { type: 'tableCell', start: source.lastCell };
  return { blocks: [tableOf(source, marked)], leaf, weight, read: 'plainly' };
}

const inlinesOf = (block: Block): Inline[] => (block.type === 'heading' ? block.children : []);

/** The last block that holds text itself. */
function leafOf(node: Nodes): Leaf {
  const start = node.position?.start.offset ?? 0;
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell' || node.type === 'code') {
    return { type: node.type, start };
  }
  const last = 'children' in node ? node.children.at(-1) : undefined;
  return last === undefined ? { type: 'other', start } : leafOf(last);
}
