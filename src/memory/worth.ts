import type { Fact, FactCategory } from '../store/memory/port.ts';

const DAY_MS = 86_400_000;
/** After so long without being heard again, a fact is worth half. */
const HALF_LIFE_MS = 90 * DAY_MS;
/** What somebody had to correct is what must not be got wrong again. */
const CORRECTION = 1.5;
/** What is true for a while only, unless it is said how long. */
const VALID_MS: Readonly<Partial<Record<FactCategory, number>>> = { context: 180 * DAY_MS, goal: 365 * DAY_MS };
/** Longer than this nobody knows what will be. */
const VALID_MOST_MS = 1_800 * DAY_MS;

/** How fresh something is, from 1 down to 0. */
export const freshness = (lastSeenAt: number, now: number): number =>
  0.5 ** (Math.max(0, now - lastSeenAt) / HALF_LIFE_MS);

/** What a fact is worth when there is no room for all. */
export const worthOf = ({ confidence, category, lastSeenAt }: Fact, now: number): number =>
  confidence * freshness(lastSeenAt, now) * (category === 'correction' ? CORRECTION : 1);

/** Until when a fact counts that was said at `at`; null: until somebody says otherwise. */
export function validityOf(category: FactCategory, days: number | undefined, at: number): number | null {
  const ms = days === undefined ? VALID_MS[category] : Math.min(days * DAY_MS, VALID_MOST_MS);
  return ms === undefined ? null : at + Math.round(ms);
}

export const isValid = ({ validUntil }: Pick<Fact, 'validUntil'>, now: number): boolean =>
  validUntil === null || validUntil > now;

/** Ids of the facts that must go so that `most` are left, the ones that are worth least first. */
export function surplus(facts: readonly Fact[], most: number, now: number): readonly string[] {
  if (facts.length <= most) return [];
  return facts
    .toSorted((a, b) => worthOf(a, now) - worthOf(b, now) || a.number - b.number)
    .slice(0, facts.length - most)
    .map(({ id }) => id);
}
