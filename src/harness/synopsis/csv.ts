/** Rows that are looked at, and that a table needs at least. */
const LOOKED_AT = 20;
const MIN_ROWS = 5;
const MAX_COLUMNS = 30;
const MAX_NAME_CHARS = 60;

/** The columns of a table of comma, semicolon or tab separated values; null for anything else. */
export function csvFacts(text: string): string | null {
  const rows = text.split('\n');
  if (rows.at(-1)?.trim() === '') rows.pop();
  const sample = rows.slice(0, LOOKED_AT);
  if (sample.length < MIN_ROWS) return null;
  for (const separator of ['\t', ';', ',']) {
    const widths = sample.map((row) => cells(row, separator).length);
    const width = widths[0] ?? 0;
    if (width < 2 || widths.some((other) => other !== width)) continue;
    const names = cells(sample[0] ?? '', separator).map((name) => name.slice(0, MAX_NAME_CHARS).toWellFormed());
    // A heading names things: words, each its own.
    if (new Set(names).size !== names.length || !names.every((name) => /^[\p{L}_][^.!?]*$/u.test(name))) continue;
    const more = names.length > MAX_COLUMNS ? `, … ${names.length - MAX_COLUMNS} more` : '';
    return `A table of ${rows.length - 1} rows; columns: ${names.slice(0, MAX_COLUMNS).join(', ')}${more}.`;
  }
  return null;
}

/** Quoted cells may hold the separator; that is all of quoting that counting needs. */
function cells(row: string, separator: string): string[] {
  const found: string[] = [];
  let cell = '';
  let quoted = false;
  for (const char of row.replace(/\r$/, '')) {
    if (char === '"') quoted = !quoted;
    else if (char === separator && !quoted) {
      found.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  return [...found, cell.trim()];
}
