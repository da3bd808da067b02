import type { ToldFact } from '../store/memory/port.ts';
import { termsOf } from './terms.ts';
import { freshness } from './worth.ts';

const RELEVANCE = 0.6;
const CONFIDENCE = 0.2;
const FRESHNESS = 0.2;
/** What was got wrong once is told before anything else of the same weight. */
const CORRECTION = 0.15;

/**
 * Facts in the order in which they are worth telling by somebody who was just told `text`: what it is about, weighted by
 * how rare its terms are among the facts, then how sure and how fresh they are.
 */
export function ranked<Told extends ToldFact>(facts: readonly Told[], text: string, now: number): readonly Told[] {
  const asked = termsOf(text);
  const termsOfEach = facts.map(({ content }) => termsOf(content));
  const weights = new Map<string, number>();
  for (const term of asked) {
    let holders = 0;
    for (const terms of termsOfEach) if (terms.has(term)) holders++;
    if (holders > 0) weights.set(term, Math.log(1 + facts.length / holders));
  }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const scored = facts.map((fact, index) => {
    let met = 0;
    for (const [term, weight] of weights) if (termsOfEach[index]?.has(term) === true) met += weight;
    const score =
      RELEVANCE * (total === 0 ? 0 : met / total) +
      CONFIDENCE * fact.confidence +
      FRESHNESS * freshness(fact.lastSeenAt, now) +
      (fact.category === 'correction' ? CORRECTION : 0);
    return { fact, score };
  });
  return scored.toSorted((a, b) => b.score - a.score || a.fact.number - b.fact.number).map(({ fact }) => fact);
}

/** Those that have to do with `text`, the best first. */
export function found(facts: readonly ToldFact[], text: string, now: number, most: number): readonly ToldFact[] {
  const asked = termsOf(text);
  const met = facts.filter((fact) => [...termsOf(fact.content)].some((term) => asked.has(term)));
  return ranked(met, text, now).slice(0, most);
}
