import type { Button, Document } from '../../../src/channel/port.ts';
import { BLANK, type Doc, isBlank, parse, plain } from '../../../src/format/index.ts';
import { type Dialect, inert, render } from './render.ts';

/** A document without any formatting of its own; what is sent so is read for mentions, tags and links all the same. */
export const plainText = (document: Doc): string => inert(plain(document));

/** What a document reads as; `plain`: without any formatting. */
export function textOf({ markdown }: Pick<Document, 'markdown'>, dialect: Dialect | 'plain'): string {
  const parsed = parse(markdown);
  const text = dialect === 'plain' ? plainText(parsed) : render(parsed, dialect);
  return isBlank(text) ? BLANK : text;
}

/** As {@link textOf}, with the buttons as numbered lines below it, for where there can be none. */
export function textWithChoices(document: Document, dialect: Dialect | 'plain'): string {
  const { buttons = [], markdown } = document;
  if (buttons.length === 0) return textOf(document, dialect);
  const text = markdown.trim() === '' ? '' : `${textOf(document, dialect)}\n\n`;
  return text + choicesOf(buttons);
}

/** Buttons as lines with numbers. */
export const choicesOf = (buttons: readonly Button[]): string =>
  buttons.map(({ label }, index) => `${index + 1}. ${inert(label)}`).join('\n');
