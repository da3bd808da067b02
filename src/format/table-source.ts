import { type Align, type Inline, type Table, type TableCell, text } from './nodes.ts';
import { isBare } from './quick.ts';

/** A table whose cells are inline Markdown that nobody has read yet. */
export interface TableSource {
  readonly align: Align[];
  readonly rows: readonly (readonly string[])[];
  /** Of the longest row. */
  readonly columns: number;
  /** The cells that need a parser, in order. */
  readonly marked: readonly string[];
  /** Where in the segment the last cell begins. */
  readonly lastCell: number;
}

const DELIMITERS = /^\|[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/**
 * Takes apart a segment that is nothing but a table, every line of which begins with a pipe. By hand, since a parser is
 * at its slowest with cells: reading a dozen rows took it longer than all the rest of a usual answer.
 */
export function tableSource(segment: string): TableSource | undefined {
  if (!segment.startsWith('|') || /[\r\0\ufeff]/.test(segment)) return undefined;
  const body = segment.replace(/(?<!\s)\s+$/, '');
  const [header = '', delimiters = '', ...lines] = body.split('\n');
  if (!DELIMITERS.test(delimiters) || [header, ...lines].some((line) => !/^\|[ \t]*[^ \t]/.test(line)))
    return undefined;
  const align = cellsOf(delimiters).map(({ source }) => alignOf(source));
  const cells = [header, ...lines].map(cellsOf);
  if (cells[0]?.length !== align.length) return undefined;
  const rows = cells.map((row) => row.map(({ source }) => source));
  return {
    align,
    rows,
    columns: rows.reduce((most, row) => Math.max(most, row.length), 0),
    marked: rows.flat().filter((source) => !isBare(source)),
    lastCell: lines.length === 0 ? body.length : body.lastIndexOf('\n') + 1 + (cells.at(-1)?.at(-1)?.at ?? 0),
  };
}

/** The table with its cells; `marked` are the inlines of those that needed a parser. */
export function tableOf({ align, rows }: TableSource, marked: readonly Inline[][]): Table {
  let at = 0;
  const cell = (source: string): TableCell => {
    if (!isBare(source)) return { type: 'tableCell', children: marked[at++] ?? [] };
    return { type: 'tableCell', children: source === '' ? [] : [text(source)] };
  };
  return { type: 'table', align, children: rows.map((row) => ({ type: 'tableRow', children: row.map(cell) })) };
}

interface Cell {
  readonly source: string;
  /** Where in its line it begins. */
  readonly at: number;
}

const CELL = /\|((?:[^|\\]|\\.?)*)/g;

function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  for (const { 0: whole, 1: inside = '', index } of line.matchAll(CELL)) {
    const source = inside.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');
    const isLastPipe = source === '' && index > 0 && index + whole.length === line.length;
    if (!isLastPipe) cells.push({ source: unescaped(source), at: index + 1 + inside.indexOf(source) });
  }
  return cells;
}

/** Within a table a pipe is escaped even in code. */
const unescaped = (cell: string): string =>
  cell.includes('`') ? cell.replace(/\\([\\|])/g, (all, of: string) => (of === '|' ? of : all)) : cell;

function alignOf(delimiter: string): Align {
  if (delimiter.startsWith(':')) return delimiter.endsWith(':') ? 'center' : 'left';
  return delimiter.endsWith(':') ? 'right' : null;
}
