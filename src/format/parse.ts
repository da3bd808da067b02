import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { type Block, type Doc, doc } from './nodes.ts';
import { segmentsOf } from './segments.ts';
import { settle } from './settle.ts';

/** Markdown as mdast with source positions, references and raw HTML still in it. */
export function parseTree(markdown: string): Root {
  return fromMarkdown(markdown, {
    // One tilde means "about" in prose (`~5`, 好的~) far more often than it means struck out.
    extensions: [gfm({ singleTilde: false })],
    mdastExtensions: [gfmFromMarkdown()],
  });
}

/**
 * Reads CommonMark with GFM tables, task lists and strikethrough. Never fails: any text is Markdown. Documents are
 * shared; nobody may change one.
 */
export function parse(markdown: string): Doc {
  return doc(segmentsOf(markdown).flatMap(parseSegment));
}

/**
 * A growing answer is read again with every edit, and each of its parts once to be measured and once to be sent;
 * parsing takes milliseconds. Least recently used segments go first.
 */
const read = new Map<string, readonly Block[]>();
const READ_MAX = 256;
/** In UTF-16 code units; longer segments are rare and would make the memory large. */
const SEGMENT_MAX = 16_384;

function parseSegment(segment: string): readonly Block[] {
  const known = read.get(segment);
  read.delete(segment);
  const blocks = known ?? settle(parseTree(segment)).children;
  if (segment.length <= SEGMENT_MAX) read.set(segment, blocks);
  const [oldest] = read.keys();
  if (read.size > READ_MAX && oldest !== undefined) read.delete(oldest);
  return blocks;
}
