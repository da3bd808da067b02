import type { InlineCode, Parents, Text } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { defaultHandlers, type Info, type State, toMarkdown } from 'mdast-util-to-markdown';
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
    handlers: { text: writeText, inlineCode: Object.assign(writeCode, { peek: () => '`' }) },
  });
}

/** Means nothing in Markdown, wherever in a line it stands. */
const BARE = /^(?! )[\p{L}\p{N} ,;]*(?<! )$/u;

/**
 * Text of letters as it is. The library looks for some forty reasons to escape something in every single text; among
 * thousands of them that takes longer than anything else.
 */
function writeText(node: Text, parent: Parents | undefined, state: State, info: Info): string {
  const isSpace = node.value === ' ' && !/[\r\n]/.test(info.before + info.after);
  return isSpace || BARE.test(node.value) ? node.value : defaultHandlers.text(node, parent, state, info);
}

/** Code of one line without backticks likewise. In a table the library's handler of tables knows more. */
function writeCode(node: InlineCode, parent: Parents | undefined, state: State): string {
  if (/^[^\s`|]+$/.test(node.value)) return `\`${node.value}\``;
  const code = defaultHandlers.inlineCode(node, parent, state);
  return state.stack.includes('tableCell') ? code.replaceAll('|', '\\|') : code;
}
