/** What a word of the query is worth where it is found. */
const WORTH = { name: 5, partOfName: 3, origin: 2, description: 1 } as const;

/** A tool, a skill: what a model can look for. */
export interface Findable {
  readonly name: string;
  readonly description: string;
  /** Where it comes from. */
  readonly origin?: string;
}

/**
 * Those that fit the words of a query best, best first: at most so many, and all that it names outright. A word fits by itself or as the beginning of one; in
 * writing without spaces any part of a text is a word.
 */
export function findBest<Thing extends Findable>(
  things: readonly Thing[],
  query: string,
  most: number,
): readonly Thing[] {
  const words = [...new Set(wordsOf(query))];
  const named = new Set(query.split(/[\s,;"'`]+/).map((name) => name.toLowerCase()));
  const found = things
    .map((thing) => ({ thing, isNamed: named.has(thing.name.toLowerCase()), score: score(thing, words) }))
    .filter(({ isNamed, score }) => isNamed || score > 0)
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.score - a.score);
  const asked = found.filter(({ isNamed }) => isNamed).length;
  return found.slice(0, Math.max(most, asked)).map(({ thing }) => thing);
}

function score(thing: Findable, words: readonly string[]): number {
  const name = wordsOf(thing.name);
  const origin = wordsOf(thing.origin ?? '');
  const description = wordsOf(thing.description);
  let total = 0;
  for (const word of words) {
    if (name.includes(word)) total += WORTH.name;
    else if (name.some((part) => part.startsWith(word) || (part.length > 3 && word.startsWith(part))))
      total += WORTH.partOfName;
    if (origin.includes(word)) total += WORTH.origin;
    if (description.some((part) => part.startsWith(word))) total += WORTH.description;
  }
  return total;
}

/** Lower-case words; of camelCase and snake_case names their parts, of Chinese and the like each pair of signs. */
export function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) =>
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(word) && word.length > 2 ? pairsOf(word) : [word],
  );
}

const pairsOf = (word: string): string[] =>
  Array.from({ length: word.length - 1 }, (_, index) => word.slice(index, index + 2));
