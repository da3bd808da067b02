const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Mn}]+$/u;

const NARROW = /^[ -~]*$/;

/** Columns that a line takes in a monospaced font: East Asian characters and emoji take two. */
export function displayWidth(line: string): number {
  if (NARROW.test(line)) return line.length;
  let width = 0;
  for (const { segment } of graphemes.segment(line)) {
    if (INVISIBLE.test(segment)) continue;
    width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}
