const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Mn}]+$/u;

/** Letters that never join with what is beside them: Latin, Greek, Cyrillic, and East Asian ones of two columns. */
const NARROW_LETTERS = ' -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f';
const WIDE_LETTERS = '\u3000-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60';
const LETTERS = new RegExp(`^[${NARROW_LETTERS}${WIDE_LETTERS}]*$`);
const EACH_WIDE = new RegExp(`[${WIDE_LETTERS}]`, 'g');

/** Columns that a line takes in a monospaced font: East Asian characters and emoji take two. */
export function displayWidth(line: string): number {
  // Finding graphemes takes a microsecond for each, and a table is measured with every edit.
  if (LETTERS.test(line)) return line.length + (line.match(EACH_WIDE)?.length ?? 0);
  let width = 0;
  for (const { segment } of graphemes.segment(line)) {
    if (INVISIBLE.test(segment)) continue;
    width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}
