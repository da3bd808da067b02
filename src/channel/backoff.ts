const FIRST_MS = 500;
const MOST_MS = 30_000;

/** How long to wait after the `failures`-th failure in a row: doubling, half of it by chance so that nobody marches in step. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const full = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 16));
  return Math.round(full / 2 + (full / 2) * random());
}
