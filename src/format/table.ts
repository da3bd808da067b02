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

/**
 * A table for fonts whose characters differ in width: lines as by {@link tableLines} while they are narrow enough to
 * nearly line up all the same, else told row by row, each cell behind the name of its column.
 */
export function tableRecords(table: Table, cellText: (cell: readonly Inline[]) => string, maxWidth: number): string {
  const lines = tableLines(table, cellText);
  const [header, ...rows] = table.children;
  if (rows.length === 0 || lines.every((line) => displayWidth(line) <= maxWidth)) return lines.join('\n');
  return rows
    .map((row) =>
      row.children
        .map((cell, column) => ({
          name: oneLine(cellText(header?.children[column]?.children ?? [])),
          value: oneLine(cellText(cell.children)),
        }))
        .filter(({ value }) => value !== '')
        .map(({ name, value }) => (name === '' ? value : `${name}: ${value}`))
        .join('\n'),
    )
    .join('\n\n');
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
