import { flatText } from './inline-slice.ts';
import type { Align, Inline, Table } from './nodes.ts';
import { displayWidth } from './width.ts';

/** A table as lines of text in columns, for fonts where every character is as wide: header, rule, rows. */
export function tableLines(table: Table, cellText: (cell: readonly Inline[]) => string = flatText): string[] {
  const cells = table.children.map((row) => row.children.map((cell) => oneLine(cellText(cell.children))));
  const columns = Math.max(0, ...cells.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...cells.map((row) => displayWidth(row[column] ?? ''))),
  );
  const lines = cells.map((row) =>
    widths
      .map((width, column) => pad(row[column] ?? '', width, table.align[column] ?? null))
      .join(' | ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-');
  return [...lines.slice(0, 1), rule, ...lines.slice(1)];
}

const oneLine = (value: string): string => value.replace(/\s+/g, ' ').trim();

function pad(value: string, width: number, align: Align): string {
  const room = Math.max(0, width - displayWidth(value));
  if (align === 'right') return ' '.repeat(room) + value;
  if (align === 'center') return ' '.repeat(Math.floor(room / 2)) + value + ' '.repeat(Math.ceil(room / 2));
  return value + ' '.repeat(room);
}
