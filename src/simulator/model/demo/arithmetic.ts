const spoken: readonly (readonly [RegExp, string])[] = [
  [/\s*(?:乘以|乘|×|✕|\btimes\b|\bmultiplied by\b|(?<=\d)\s*[x](?=\s*\d))\s*/gi, '*'],
  [/\s*(?:除以|÷|\bdivided by\b|\bover\b)\s*/gi, '/'],
  [/\s*(?:加上|加|＋|\bplus\b)\s*/gi, '+'],
  [/\s*(?:减去|减|−|－|\bminus\b)\s*/gi, '-'],
  [/（/g, '('],
  [/）/g, ')'],
  [/(?<=\d)[,，](?=\d{3})/g, ''],
];

/** Finds something to calculate in a sentence, e.g. `12 * 12` in “what is 12 times 12?”. Dates are none. */
export function expressionIn(text: string): string | undefined {
  let plain = text;
  for (const [pattern, sign] of spoken) plain = plain.replace(pattern, sign);
  const candidates = plain.match(/[-(\d.][\d\s.+\-*/^%()]*[\d)]/g) ?? [];
  return candidates
    .map((candidate) => candidate.trim())
    .find(
      (candidate) => /[\d)]\s*[+\-*/^%]\s*[-(\d.]/.test(candidate) && !/^\d{4}-\d{1,2}(-\d{1,2})?$/.test(candidate),
    );
}
