const MAX_CHARS = 80;

/** What a task is called by what was asked for: its first line, cut where it is long. */
export function titleOf(text: string): string {
  const line = (text.trim().split('\n', 1)[0] ?? '').replace(/\s+/g, ' ').trim();
  return line.length > MAX_CHARS
    ? `${line
        .slice(0, MAX_CHARS - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line;
}
