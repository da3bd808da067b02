import type { Document } from '../../../src/channel/port.ts';
import { parse, split } from '../../../src/format/index.ts';
import { serialize } from '../../../src/format/serialize.ts';
import { MESSAGE_MAX_CHARS } from '../limits.ts';

/** Cuts a document into messages; buttons stand under the last. What fits is sent as it was written. */
export function splitDocument(document: Document): Document[] {
  if (document.markdown.length <= MESSAGE_MAX_CHARS) return [document];
  const parts = split(document.markdown, { limit: MESSAGE_MAX_CHARS, size: (doc) => serialize(doc).length })
    // It fits by what it means, but not as it was written.
    .map((part) => (part.length <= MESSAGE_MAX_CHARS ? part : serialize(parse(part)).trimEnd()));
  return parts.map((markdown, index) => (index === parts.length - 1 ? { ...document, markdown } : { markdown }));
}
