import { cutEnd } from '../../transcript/text.ts';
import { MAX_CELL_CHARS, MAX_SHEET_COLUMNS } from '../limits.ts';
import { attribute, child, children, parseXml, textOf, type XmlNode } from '../ooxml/xml.ts';
import { type NumberFormat, stringOf, writeNumber } from './values.ts';

/** What the cells of all sheets refer to. */
export interface Workbook {
  readonly shared: (index: number) => string;
  readonly formats: readonly NumberFormat[];
  readonly from1904: boolean;
}

interface Row {
  readonly number: number;
  /** By their column; the first is 0. */
  readonly cells: ReadonlyMap<number, string>;
}

// Cut into rows by hand, because a parser would build all of a large sheet in memory at once.
const ROW = /<(?:\w+:)?row(?=[\s/>])[^>]*?(?:\/>|>[\s\S]*?<\/(?:\w+:)?row>)/g;

function* rowsOf(xml: string, workbook: Workbook): Generator<Row> {
  let number = 0;
  for (const [slice] of xml.matchAll(ROW)) {
    const row = child(parseXml(slice), 'row');
    number = Number(attribute(row, 'r') ?? number + 1);
    const cells = new Map<number, string>();
    let column = -1;
    for (const cell of children(row, 'c')) {
      column = columnOf(attribute(cell, 'r')) ?? column + 1;
      const text = cellText(cell, workbook).replace(/\s+/g, ' ').trim();
      if (text !== '') cells.set(column, cutEnd(text, MAX_CELL_CHARS));
    }
    if (cells.size > 0) yield { number, cells };
  }
}

function cellText(cell: XmlNode, { shared, formats, from1904 }: Workbook): string {
  const value = child(cell, 'v');
  const raw = textOf(value);
  switch (attribute(cell, 't')) {
    case 's':
      return shared(Number(raw));
    case 'inlineStr':
      return stringOf(child(cell, 'is'));
    case 'b':
      return raw === '1' ? 'TRUE' : 'FALSE';
    case 'str':
    case 'e':
    case 'd':
      return raw;
    default: {
      const formula = textOf(child(cell, 'f'));
      // Programs that write workbooks without calculating leave formulas without values.
      if (raw === '') return formula === '' ? '' : `=${formula}`;
      return writeNumber(raw, formats[Number(attribute(cell, 's') ?? 0)] ?? 'number', from1904);
    }
  }
}

/** `B7` → 1. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? '')?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** 1 → `B`. */
function columnName(column: number): string {
  const rest = String.fromCharCode(65 + (column % 26));
  return column < 26 ? rest : columnName(Math.floor(column / 26) - 1) + rest;
}

/**
 * A sheet as a table under the letters of its columns, with the numbers of its rows, so that a cell can be named. At
 * most about `maxChars`.
 */
export function writeSheet(xml: string, workbook: Workbook, maxChars: number): string {
  const rows: Row[] = [];
  let first = Number.POSITIVE_INFINITY;
  let last = -1;
  let chars = 0;
  let isCut = false;
  for (const row of rowsOf(xml, workbook)) {
    if (chars > maxChars) {
      isCut = true;
      break;
    }
    rows.push(row);
    for (const [column, text] of row.cells) {
      first = Math.min(first, column);
      last = Math.max(last, column);
      chars += text.length + 3;
    }
  }
  if (rows.length === 0) return '(empty)';
  const shown = Math.min(last, first + MAX_SHEET_COLUMNS - 1);
  const columns = Array.from({ length: shown - first + 1 }, (_, index) => first + index);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = [
    line(['', ...columns.map(columnName)]),
    line(['---', ...columns.map(() => '---')]),
    ...rows.map(({ number, cells }) =>
      line([String(number), ...columns.map((column) => (cells.get(column) ?? '').replaceAll('|', '\\|'))]),
    ),
  ];
  if (last > shown) table.push(`(columns ${columnName(shown + 1)} to ${columnName(last)} are left out)`);
  if (isCut) table.push(`(cut here, behind row ${rows.at(-1)?.number ?? 0}: the sheet is larger than can be shown)`);
  return table.join('\n');
}
