import type { Document } from '../../../src/channel/port.ts';
import { type Doc, split } from '../../../src/format/index.ts';
import { ENTITIES_MAX, TEXT_MAX_UTF16 } from '../limits.ts';
import { render, renderPlain } from './render.ts';

/**
 * How much of a message a document takes, in UTF-16 code units of text as Telegram counts them. Entities count as the
 * share of their own limit, and the plain form has to fit too, for when the formatting is refused.
 */
function size(document: Doc): number {
  const { text, entities } = render(document);
  const shareOfEntities = Math.ceil((entities.length / ENTITIES_MAX) * TEXT_MAX_UTF16);
  return Math.max(text.length, renderPlain(document).text.length, shareOfEntities);
}

/** Cuts a document into messages; buttons stand under the last. */
export function splitDocument(document: Document): Document[] {
  const parts = split(document.markdown, { limit: TEXT_MAX_UTF16, size });
  return parts.map((markdown, index) => (index === parts.length - 1 ? { ...document, markdown } : { markdown }));
}
