const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** How far beyond the cut the segmenters look, so that they know what comes after it; in UTF-16 code units. */
const LOOKAHEAD = 64;

/** What may be cut: `sentence` only between sentences or lines, `word` also between words, `any` wherever it must be. */
export type Finest = 'sentence' | 'word' | 'any';

/**
 * Where to cut `value` so that at most `max` UTF-16 code units stay in front: behind a line or sentence if one ends in
 * the second half, else behind a word, else behind a grapheme, and never inside a surrogate pair. Returns undefined
 * when nothing as coarse as `finest` fits; with `any` it always moves on by at least one character.
 */
export function cutText(value: string, max: number, finest: Finest): number | undefined {
  const window = value.slice(0, max + LOOKAHEAD);
  const least = finest === 'any' ? Math.floor(max / 2) : 1;
  const sentence = lastBorder(sentences, window, max);
  if (sentence !== undefined && sentence >= least) return sentence;
  if (finest === 'sentence') return undefined;
  const space = lastSpace(value, max);
  if (space !== undefined && space >= least) return space;
  const word = lastWordStart(window, max);
  if (word !== undefined && word >= least) return word;
  if (finest === 'word') return undefined;
  return lastBorder(graphemes, window, max) ?? lastCodePoint(value, max);
}

function lastBorder(segmenter: Intl.Segmenter, window: string, max: number): number | undefined {
  let last: number | undefined;
  for (const { index, segment } of segmenter.segment(window)) {
    const end = index + segment.length;
    if (end > max) break;
    last = end;
  }
  return last;
}

/** Scripts without spaces have word borders too; punctuation stays with the word before it. */
function lastWordStart(window: string, max: number): number | undefined {
  let last: number | undefined;
  for (const { index, isWordLike } of words.segment(window)) {
    if (index > max) break;
    if (isWordLike && index > 0) last = index;
  }
  return last;
}

function lastSpace(value: string, max: number): number | undefined {
  for (let at = Math.min(max, value.length - 1); at > 0; at--) if (/\s/.test(value.charAt(at))) return at;
  return undefined;
}

function lastCodePoint(value: string, max: number): number {
  const at = Math.max(1, max);
  const splitsPair = isHigh(value.charCodeAt(at - 1)) && isLow(value.charCodeAt(at));
  if (!splitsPair) return at;
  return at > 1 ? at - 1 : 2;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
