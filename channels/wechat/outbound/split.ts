import type { Button, Document } from '../../../src/channel/port.ts';
import { type Doc, split } from '../../../src/format/index.ts';
import { ILINK_TEXT_MAX_BYTES, WECHATY_TEXT_MAX_CHARS } from '../limits.ts';
import { render, type Style } from './render.ts';
import { choicesOf } from './text.ts';

/** Cuts a document into texts of at most 16 KiB of UTF-8, as iLink takes them. */
export const splitByBytes = splitter('ilink', ILINK_TEXT_MAX_BYTES, (text) => Buffer.byteLength(text.toWellFormed()));

/** Cuts a document into texts that a personal account may send. */
export const splitByChars = splitter('plain', WECHATY_TEXT_MAX_CHARS, (text) => text.length);

/** Buttons stand under the last part. */
function splitter(style: Style, limit: number, sizeOf: (text: string) => number): (document: Document) => Document[] {
  const size = (document: Doc): number => sizeOf(render(document, style));
  const roomFor = (buttons: readonly Button[]): number => sizeOf(`\n\n${choicesOf(buttons, style)}`);
  return (document) => {
    const { markdown, buttons = [] } = document;
    const room = buttons.length === 0 ? limit : Math.max(limit >> 1, limit - roomFor(buttons));
    const parts = split(markdown, { limit: room, size });
    return parts.map((part, index) =>
      index === parts.length - 1 ? { ...document, markdown: part } : { markdown: part },
    );
  };
}
