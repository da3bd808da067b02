import type { Button, Document } from '../../../src/channel/port.ts';
import { BLANK, type Doc, isBlank, parse } from '../../../src/format/index.ts';
import { literal, render, type Style } from './render.ts';

/**
 * What a document reads as; buttons, which WeChat has none of, are numbered below it. That is text already, so there is
 * no plainer form of it.
 * @param prepare changes the document before it is rendered
 */
export function textOf(
  { markdown, buttons = [] }: Document,
  style: Style,
  prepare: (document: Doc) => Doc = (document) => document,
): string {
  const text = render(prepare(parse(markdown)), style).toWellFormed();
  const all = [isBlank(text) ? '' : text, choicesOf(buttons, style)].filter((part) => part !== '').join('\n\n');
  return all === '' ? BLANK : all;
}

/** Buttons as lines with numbers. */
export const choicesOf = (buttons: readonly Button[], style: Style): string =>
  buttons.map(({ label }, index) => `${index + 1}. ${literal(label, style)}`).join('\n');
