import type { Language } from './sentences.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Says how long something is, rounded to a unit that suits it: `4 seconds`, `1 minute`, `2 hours`; `4秒钟`. */
export function durationIn(language: Language, ms: number): string {
  const [unit, unitMs] =
    ms < MINUTE_MS
      ? (['second', SECOND_MS] as const)
      : ms < 2 * HOUR_MS
        ? (['minute', MINUTE_MS] as const)
        : (['hour', HOUR_MS] as const);
  const count = Math.max(1, Math.round(ms / unitMs));
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
