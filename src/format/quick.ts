import { type Block, type Code, paragraph, text } from './nodes.ts';

/** May mean something within a paragraph, or is replaced by the parser. */
const INLINE = /[\\`*_~[\]<&|@\t\r\0\ufeff]|:\/\/|www\.| \n/i;
/** A line that begins like this may be more than a paragraph's. */
const LINE_START = /^(?:[\s>#+=:-]|\d{1,9}[.)](?:\s|$))/m;

/** The blocks of a segment in which nothing is Markdown, found without a parser; most short replies are such. */
export function readProse(segment: string): Block[] | undefined {
  const value = segment.replace(/^\n+/, '').replace(/(?<![ \n])[ \n]+$/, '');
  if (INLINE.test(value) || LINE_START.test(value)) return undefined;
  return value === '' ? [] : [paragraph([text(value)])];
}

/** True for what inline Markdown shows as it is. */
export const isBare = (inline: string): boolean => !INLINE.test(inline);

const OPENING = /^(`{3,}|~{3,})([^\n]*)\n?/;

/**
 * The code block of a segment that is nothing but a fence, found without a parser, since a long listing costs one as
 * much as a long text. Undefined for what needs a parser: escapes in its info string, lines that do not end in `\n`.
 */
export function readFence(segment: string): Code | undefined {
  const [opening, ticks, info = ''] = OPENING.exec(segment) ?? [];
  if (opening === undefined || ticks === undefined || /[\r\0]/.test(segment) || /[`\\&]/.test(info)) return undefined;
  const body = segment.slice(opening.length);
  const closing = closingOf(body, ticks);
  if (closing !== undefined && /\S/.test(body.slice(closing.end))) return undefined;
  const [lang = '', ...meta] = info.trim().split(/(?<=^[^ \t]+)[ \t]+/);
  const value = body.slice(0, closing?.start).replace(/\n$/, '');
  return { type: 'code', lang: lang || null, meta: meta.join('') || null, value };
}

function closingOf(body: string, ticks: string): { start: number; end: number } | undefined {
  for (const { 0: line, 1: run = '', index } of body.matchAll(/^ {0,3}(`{3,}|~{3,})[ \t]*$/gm)) {
    if (run.startsWith(ticks)) return { start: index, end: index + line.length };
  }
  return undefined;
}
