import type { Button, Document } from '../../../src/channel/port.ts';
import { type Doc, parse, plain, split } from '../../../src/format/index.ts';
import { APP_TEXT_MAX_BYTES, BOT_TEXT_MAX_BYTES, CARD_MAX_BUTTONS, CARD_TEXT_MAX_CHARS } from '../limits.ts';
import { CARD_TITLE } from './card.ts';
import { type Dialect, render } from './render.ts';
import { choicesOf, plainText } from './text.ts';

const bytes = (text: string): number => Buffer.byteLength(text);

/** The plain form has to fit too, for when the formatting is refused. */
const sizeIn =
  (dialect: Dialect) =>
  (document: Doc): number =>
    Math.max(bytes(render(document, dialect)), bytes(plainText(document)));

const cut = (markdown: string, dialect: Dialect, limit: number): string[] =>
  split(markdown, { limit, size: sizeIn(dialect) });

/** Room for buttons that have to be read as text. */
const roomFor = (buttons: readonly Button[]): number => (buttons.length === 0 ? 0 : bytes(`\n\n${choicesOf(buttons)}`));

const limited = (limit: number, buttons: readonly Button[]): number => Math.max(limit >> 1, limit - roomFor(buttons));

/** Cuts a document into answers of an AI bot; buttons stand under the last. */
export function splitForBot(document: Document): Document[] {
  const parts = cut(document.markdown, 'bot', limited(BOT_TEXT_MAX_BYTES, document.buttons ?? []));
  return parts.map((markdown, index) => (index === parts.length - 1 ? { ...document, markdown } : { markdown }));
}

/** Cuts a document into messages of an app. A card shows a sentence at most, so longer words come before it. */
export function splitForApp(document: Document): Document[] {
  const { markdown, buttons = [], file } = document;
  const limit = limited(APP_TEXT_MAX_BYTES, buttons);
  if (file !== undefined) return captioned(document, cut(markdown, 'app', limit));
  if (buttons.length === 0 || buttons.length > CARD_MAX_BUTTONS || fitsCard(markdown)) {
    const parts = cut(markdown, 'app', limit);
    return parts.map((part, index) =>
      index === parts.length - 1 ? { ...document, markdown: part } : { markdown: part },
    );
  }
  const parts = cut(markdown, 'app', APP_TEXT_MAX_BYTES).map((part) => ({ markdown: part }));
  return [...parts, { ...document, markdown: CARD_TITLE }];
}

const captioned = (document: Document, parts: readonly string[]): Document[] =>
  parts.map((markdown, index) => (index === parts.length - 1 ? { ...document, markdown } : { markdown }));

const fitsCard = (markdown: string): boolean => [...plain(parse(markdown))].length <= CARD_TEXT_MAX_CHARS;
