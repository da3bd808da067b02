import { flatText } from './inline-slice.ts';
import type { Align, Inline, Table } from './nodes.ts';
import { displayWidth } from './width.ts';

/** Wider tables line up nowhere, and a single long cell would pad every other to megabytes. */
const WIDTH_MAX = 200;

/**
 * A table as lines of text, for fonts where every character is as wide: header, rule, rows. The columns line up unless
 * they are too wide for any screen.
 */
export function tableLines(table: Table, cellText: (cell: readonly Inline[]) => string = flatText): string[] {
  const cells = table.children.map((row) => row.children.map((cell) => sized(oneLine(cellText(cell.children)))));
  const widths: number[] = [];
  for (const row of cells) {
    row.forEach(({ width }, column) => {
      widths[column] = Math.max(1, widths[column] ?? 0, width);
    });
  }
  const isWide = widths.reduce((sum, width) => sum + width, 0) > WIDTH_MAX;
  const lines = cells.map((row) =>
    (isWide ? row.map(({ value }) => value) : widths.map((width, at) => pad(row[at], width, table.align[at] ?? null)))
      .join(' | ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(isWide ? 1 : width)).join('-+-');
  return [...lines.slice(0, 1), rule, ...lines.slice(1)];
}

interface Sized {
  readonly value: string;
  readonly width: number;
}

const sized = (value: string): Sized => ({ value, width: displayWidth(value) });
const oneLine = (value: string): string => value.replace(/\s+/g, ' ').trim();

function pad(cell: Sized | undefined, column: number, align: Align): string {
  const { value, width } = cell ?? { value: '', width: 0 };
  const room = column - width;
  if (align === 'right') return ' '.repeat(room) + value;
  if (align === 'center') return ' '.repeat(Math.floor(room / 2)) + value + ' '.repeat(Math.ceil(room / 2));
  return value + ' '.repeat(room);
}
