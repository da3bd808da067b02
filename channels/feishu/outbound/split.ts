import type { Document, Target } from '../../../src/channel/port.ts';
import { type Block, type Doc, split } from '../../../src/format/index.ts';
import { buttonElements } from '../buttons.ts';
import { CARD_MAX_BYTES, CARD_MAX_TABLES } from '../limits.ts';
import { renderCardMarkdown } from './render-card.ts';

/** How much of a card a document takes: JSON in JSON, as the request carries it. Tables count as their own share. */
function size(document: Doc): number {
  const tables = Math.ceil((tablesIn(document.children) / CARD_MAX_TABLES) * CARD_MAX_BYTES);
  return Math.max(bytesInRequest(renderCardMarkdown(document)), tables);
}

const bytesInRequest = (value: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

function tablesIn(nodes: readonly Block[]): number {
  let count = 0;
  for (const node of nodes) {
    if (node.type === 'table') count += 1;
    else if (node.type === 'blockquote') count += tablesIn(node.children);
    else if (node.type === 'list') for (const item of node.children) count += tablesIn(item.children);
  }
  return count;
}

/** The longest ids there are: where the parts will go is not known yet. */
const SOMEWHERE: Target = { chat: '', chatKind: 'group', topic: 'o'.repeat(64) };

/** Cuts a document into messages; buttons stand under the last, a file comes with it. */
export function splitDocument(document: Document): Document[] {
  if (document.file !== undefined && document.markdown.trim() === '') return [document];
  const buttons = document.buttons === undefined ? 0 : bytesInRequest(buttonElements(document.buttons, SOMEWHERE));
  const limit = Math.max(CARD_MAX_BYTES / 2, CARD_MAX_BYTES - buttons);
  const parts = split(document.markdown, { limit, size });
  return parts.map((markdown, index) => (index === parts.length - 1 ? { ...document, markdown } : { markdown }));
}
