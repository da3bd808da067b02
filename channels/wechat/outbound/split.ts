import type { Document } from '../../../src/channel/port.ts';
import { type Doc, split } from '../../../src/format/index.ts';
import { ILINK_TEXT_MAX_BYTES, WECHATY_TEXT_MAX_CHARS } from '../limits.ts';
import { render } from './render.ts';

/** Cuts a document into texts of at most 16 KiB of UTF-8, as iLink takes them. */
export const splitByBytes = splitter(ILINK_TEXT_MAX_BYTES, (text) => Buffer.byteLength(text));

/** Cuts a document into texts that a personal account may send. */
export const splitByChars = splitter(WECHATY_TEXT_MAX_CHARS, (text) => text.length);

function splitter(limit: number, sizeOf: (text: string) => number): (document: Document) => Document[] {
  const size = (document: Doc): number => sizeOf(render(document));
  return (document) => {
    const parts = split(document.markdown, { limit, size });
    return parts.map((markdown, index) => (index === parts.length - 1 ? { ...document, markdown } : { markdown }));
  };
}
