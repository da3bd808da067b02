import { normalised } from './normal.ts';
import { termsOf } from './terms.ts';

/** Of the terms of both: from here on two facts say the same. */
const SAME_SHARE = 0.75;
const NUMBERS = /\p{N}+/gu;
const NEGATIONS = /\b(?:not|no|never|without|stopped|former|n['’]t|cannot)\b|n['’]t\b|[不没無无别非未勿]/giu;

/**
 * Do two facts say the same in almost the same words? Never when they differ in a number or in a "not": such a pair is a
 * contradiction, which only somebody who understands it may settle.
 */
export function areAlike(one: string, other: string): boolean {
  const [a, b] = [normalised(one), normalised(other)];
  if (a === b) return true;
  if (marks(a, NUMBERS) !== marks(b, NUMBERS) || marks(a, NEGATIONS) !== marks(b, NEGATIONS)) return false;
  const [first, second] = [termsOf(a), termsOf(b)];
  const shared = [...first].filter((term) => second.has(term)).length;
  const all = first.size + second.size - shared;
  return shared >= 2 && shared / all >= SAME_SHARE;
}

const marks = (text: string, pattern: RegExp): string => [...text.matchAll(pattern)].map(([mark]) => mark).join(' ');
