/** What a command has to say: to people in lines, to scripts as JSON. */
export interface Report {
  readonly lines: readonly string[];
  readonly json: unknown;
}

/** Rows of words in columns, two spaces apart. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((word, i) => Math.max(most[i] ?? 0, word.length)), []);
  return rows.map((row) =>
    row
      .map((word, i) => word.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
