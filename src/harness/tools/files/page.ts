/** Longer lines are cut into pieces that count as lines, so that a file without line ends can be paged as well. */
const MAX_LINE_CHARS = 2_000;
/** Below what a tool's result is cut to, so that a page arrives whole. */
const MAX_PAGE_CHARS = 20_000;

export interface Page {
  readonly text: string;
  /** Number of the first line and of the last one; the first line of a file is 1. */
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

/** Lines of a text, from the `offset`-th on, as many as asked for and as fit. */
export function pageOf(text: string, offset: number, limit: number): Page {
  const lines = text.split(/\r\n|\n|\r/).flatMap((line) => (line.length <= MAX_LINE_CHARS ? [line] : pieces(line)));
  if (lines.at(-1) === '' && lines.length > 1) lines.pop(); // what ends with a line end has no line behind it
  const start = offset - 1;
  let end = start;
  let chars = 0;
  while (end < Math.min(lines.length, start + limit)) {
    chars += (lines[end]?.length ?? 0) + 1;
    if (chars > MAX_PAGE_CHARS && end > start) break;
    end++;
  }
  return { text: lines.slice(start, end).join('\n'), from: offset, to: end, total: lines.length };
}

function pieces(line: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < line.length; ) {
    let end = Math.min(line.length, at + MAX_LINE_CHARS);
    // Never between the halves of a character.
    if (end < line.length && /[\ud800-\udbff]/.test(line[end - 1] ?? '')) end--;
    found.push(line.slice(at, end));
    at = end;
  }
  return found;
}
