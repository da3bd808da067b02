import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Doc } from './nodes.ts';
import { settle } from './settle.ts';

/** Markdown as mdast with source positions, references and raw HTML still in it. */
export function parseTree(markdown: string): Root {
  return fromMarkdown(markdown, {
    // One tilde means "about" in prose (`~5`, 好的~) far more often than it means struck out.
    extensions: [gfm({ singleTilde: false })],
    mdastExtensions: [gfmFromMarkdown()],
  });
}

/** Reads CommonMark with GFM tables, task lists and strikethrough. Never fails: any text is Markdown. */
export function parse(markdown: string): Doc {
  return settle(parseTree(markdown));
}
