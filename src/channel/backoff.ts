const FIRST_MS = 500;
/** Long enough to be a polite guest of a platform that is down, short enough that nobody notices when it is back. */
const MOST_MS = 10_000;

/**
 * How long to wait after the `failures`-th failure in a row: doubling up to `mostMs`, half of it by chance so that
 * nobody marches in step.
 */
export function backoffMs(failures: number, random: () => number = Math.random, mostMs = MOST_MS): number {
  const full = Math.min(mostMs, FIRST_MS * 2 ** Math.min(failures - 1, 16));
  return Math.round(full / 2 + (full / 2) * random());
}
