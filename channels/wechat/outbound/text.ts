import type { Button, Document } from '../../../src/channel/port.ts';
import { type Doc, parse, plain } from '../../../src/format/index.ts';
import { render, type Style } from './render.ts';

/** Stands for a text of which nothing can be seen, since WeChat takes no empty message. */
const BLANK = '…';

/**
 * What a document reads as; buttons, which WeChat has none of, are numbered below it. `bare`: without any rendering.
 * @param prepare changes the document before it is rendered
 */
export function textOf(
  { markdown, buttons = [] }: Document,
  style: Style | 'bare',
  prepare: (document: Doc) => Doc = (document) => document,
): string {
  const parsed = prepare(parse(markdown));
  const text = (style === 'bare' ? plain(parsed) : render(parsed, style)).toWellFormed();
  const all = [text.trim() === '' ? '' : text, choicesOf(buttons)].filter((part) => part !== '').join('\n\n');
  return all === '' ? BLANK : all;
}

/** Buttons as lines with numbers. */
export const choicesOf = (buttons: readonly Button[]): string =>
  buttons.map(({ label }, index) => `${index + 1}. ${label}`).join('\n');
