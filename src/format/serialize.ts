import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import type { Doc } from './nodes.ts';

/** Writes a document as Markdown that reads back as the same document. */
export function serialize(document: Doc): string {
  return toMarkdown(document, {
    bullet: '-',
    fences: true,
    listItemIndent: 'one',
    rule: '-',
    // Aligning the pipes would pad every row to the widest cell.
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  });
}
