import { readingsOf, type SourceReading } from './parse.ts';
import type { Leaf } from './reading.ts';

/**
 * Makes Markdown that stops anywhere (an answer still being written) read as it will when it goes on: open emphasis and
 * code are closed, a half-written link is its label, the head of a table waits until it is known to be one. For showing
 * only: a finished text means what it says, be it a lone `**`.
 */
export function mend(markdown: string): string {
  const readings = readingsOf(markdown);
  const last = readings.pop();
  return readings.map(({ source }) => source).join('') + (last === undefined ? '' : mended(last));
}

function mended({ source, leaf }: SourceReading): string {
  const trimmed = source.trimEnd();
  const mended = withLeafClosed(trimmed, leaf);
  // What need not be mended is not read a second time.
  return mended === trimmed ? source : mended;
}

function withLeafClosed(source: string, { type, start }: Leaf): string {
  const head = source.slice(0, start);
  const tail = source.slice(start);
  switch (type) {
    case 'code':
      return source.replace(/\n[ \t]*(`{1,2}|~{1,2})$/, '');
    case 'paragraph':
      return head + closeInline(withoutTableHead(tail));
    case 'heading':
    case 'tableCell':
      return head + closeInline(tail);
    case 'other':
      return source;
    default:
      return type satisfies never;
  }
}

/** A line of cells is a table's head only once the line of dashes below it is there. */
function withoutTableHead(paragraph: string): string {
  const lines = paragraph.split('\n');
  const last = lines.pop() ?? '';
  const isRow = (line: string): boolean => /^[ \t]*\|/.test(line);
  if (/^[ \t|:-]*$/.test(last) && isRow(lines.at(-1) ?? '')) return lines.slice(0, -1).join('\n');
  return isRow(last) ? lines.join('\n') : paragraph;
}

/** At the end, with nothing behind it yet: it may open something, or be a list's mark. */
const LONE_DELIMITER = /(?<=^|\s)(?:\*{1,3}|_{1,3}|~{1,2})$/;
const DELIMITER = /^(\*\*|__|~~|\*|_)/;

/** Closes what is open at the end of inline Markdown, innermost first. */
function closeInline(source: string): string {
  const open: string[] = [];
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const ticks = /^`+/.exec(rest)?.[0];
    const delimiter = DELIMITER.exec(rest)?.[0];
    if (rest.startsWith('\\')) {
      at += 2;
    } else if (ticks !== undefined) {
      const end = endOfCode(source, at + ticks.length, ticks);
      if (end === undefined) return closed(closeCode(source, at, ticks), open);
      at = end;
    } else if (rest.startsWith('](') && !rest.includes(')')) {
      return closed(withoutTarget(source, at), open);
    } else if (delimiter !== undefined) {
      const before = source.charAt(at - 1);
      const after = source.charAt(at + delimiter.length);
      if (open.at(-1) === delimiter && !isSpace(before)) open.pop();
      else if (!isSpace(after) && !(delimiter.includes('_') && /\w/.test(before))) open.push(delimiter);
      at += delimiter.length;
    } else {
      at += 1;
    }
  }
  return closed(source, open);
}

function endOfCode(source: string, from: number, ticks: string): number | undefined {
  for (const run of source.slice(from).matchAll(/`+/g)) {
    if (run[0] === ticks) return from + run.index + ticks.length;
  }
  return undefined;
}

/** A run of backticks with nothing behind it yet is left out; one tick of a closing pair is not part of the code. */
function closeCode(source: string, at: number, ticks: string): string {
  const code = source.slice(at + ticks.length).replace(/`+$/, '');
  return code.trim() === '' ? source.slice(0, at) : source.slice(0, at + ticks.length) + code + ticks;
}

function withoutTarget(source: string, at: number): string {
  const bracket = source.lastIndexOf('[', at);
  if (bracket < 0) return source.slice(0, at);
  const image = source.charAt(bracket - 1) === '!' ? 1 : 0;
  return source.slice(0, bracket - image) + source.slice(bracket + 1, at);
}

/** Whoever has more open is not emphasizing; and closing them all would cost a parser dearly. */
const OPEN_MAX = 8;

function closed(source: string, open: readonly string[]): string {
  if (open.length > OPEN_MAX) return source;
  let shown = source.trimEnd().replace(LONE_DELIMITER, '').trimEnd();
  const closers = [...open];
  for (let last = closers.at(-1); last !== undefined && shown.endsWith(last); last = closers.at(-1)) {
    shown = shown.slice(0, -last.length).trimEnd();
    closers.pop();
  }
  // Half of a closing pair has come: `**bold*`.
  const last = closers.at(-1);
  if (last?.length === 2 && shown.endsWith(last.charAt(0))) shown = shown.slice(0, -1);
  return shown + closers.reverse().join('');
}

const isSpace = (character: string): boolean => character === '' || /\s/.test(character);
