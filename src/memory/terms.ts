/** Scripts that are written without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu;

/** Words that say nothing about what a sentence is about. */
const EMPTY_WORDS = new Set(
  'a an and are as at be been but by can could did do does for from had has have he her him his how i if in into is it its just me my of on or our she should so some than that the their them then there they this to us was we were what when where which who why will with would you your'.split(
    ' ',
  ),
);

/**
 * What a text is about, as terms that can be compared: words, and pairs of neighbours where a script has no spaces, so
 * that Chinese is found on any database without a dictionary.
 */
export function termsOf(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const [piece] of text.normalize('NFKC').toLowerCase().matchAll(PIECES)) {
    if (UNSPACED.test(piece)) addPairs(piece, terms);
    else if (!EMPTY_WORDS.has(piece)) terms.add(stem(piece));
  }
  return terms;
}

function addPairs(run: string, terms: Set<string>): void {
  const letters = [...run];
  if (letters.length === 1) terms.add(run);
  for (let index = 0; index + 1 < letters.length; index++) terms.add(`${letters[index]}${letters[index + 1]}`);
}

/** Enough to find "likes" by "like" and "hiking" by "hike"; wrong stems are wrong on both sides. */
function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3);
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return dropE(word.slice(0, -1));
  return dropE(word);
}

const dropE = (word: string): string => (word.length > 4 && word.endsWith('e') ? word.slice(0, -1) : word);
