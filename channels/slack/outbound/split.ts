import type { Document } from '../../../src/channel/port.ts';
import { parse, split } from '../../../src/format/index.ts';
import { serialize } from '../../../src/format/serialize.ts';
import { writtenSize } from '../../../src/format/written-size.ts';
import { MESSAGE_MAX_CHARS } from '../limits.ts';
import { harmless } from './markdown.ts';

/** With what keeps it from calling everybody, which makes it longer. */
const lengthOf = (markdown: string): number => harmless(markdown).length;

const fits = (markdown: string): boolean => lengthOf(markdown) <= MESSAGE_MAX_CHARS;

/** Cuts a document into messages; buttons and a file stand with the last. What fits is sent as it was written. */
export function splitDocument(document: Document): Document[] {
  if (fits(document.markdown)) return [document];
  const parts = cut(document.markdown);
  return parts.map((markdown, index) => (index === parts.length - 1 ? { ...document, markdown } : { markdown }));
}

function cut(markdown: string): string[] {
  const parts = split(markdown, { limit: MESSAGE_MAX_CHARS, size: writtenSize });
  if (parts.every(fits)) return parts;
  // The estimate has failed, or the whole fits by what it means but not as it was written.
  return split(markdown, {
    limit: MESSAGE_MAX_CHARS,
    size: (doc) => Math.max(lengthOf(serialize(doc)), writtenSize(doc)),
  }).map((part) => (fits(part) ? part : serialize(parse(part)).trimEnd()));
}
