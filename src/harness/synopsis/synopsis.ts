import { cleanText } from '../transcript/text.ts';
import { csvFacts } from './csv.ts';
import { jsonFacts } from './json.ts';

export interface Synopsis {
  /** For a file of it. */
  readonly extension: 'json' | 'csv' | 'txt';
  /** What it is, in a few lines. */
  readonly facts: string;
  readonly head: string;
  readonly tail: string;
}

const HEAD_CHARS = 2_000;
const TAIL_CHARS = 1_000;
const MAX_HEADINGS = 16;
const MAX_HEADING_CHARS = 80;

/** What a large text is about, told without a model: its kind, its parts, how it begins and how it ends. */
export function synopsisOf(text: string): Synopsis {
  const json = jsonFacts(text);
  const csv = json === null ? csvFacts(text) : null;
  const facts = json ?? csv ?? textFacts(text);
  return {
    extension: json !== null ? 'json' : csv !== null ? 'csv' : 'txt',
    facts,
    head: headOf(text),
    tail: tailOf(text),
  };
}

function textFacts(text: string): string {
  const lines = text.split('\n');
  const headings = lines.filter((line) => /^#{1,4} \S/.test(line)).slice(0, MAX_HEADINGS);
  const list = headings.map((heading) => heading.slice(0, MAX_HEADING_CHARS).toWellFormed()).join('\n');
  return `Text of ${lines.length} lines.${list === '' ? '' : `\nHeadings:\n${list}`}`;
}

/** Whole lines where the cut comes near the end of one. */
function headOf(text: string): string {
  const cut = text.slice(0, HEAD_CHARS);
  const end = cut.lastIndexOf('\n');
  return cleanText(end > HEAD_CHARS / 2 ? cut.slice(0, end) : cut);
}

function tailOf(text: string): string {
  const cut = text.slice(-TAIL_CHARS);
  const start = cut.indexOf('\n');
  return cleanText(start !== -1 && start < TAIL_CHARS / 2 ? cut.slice(start + 1) : cut);
}
