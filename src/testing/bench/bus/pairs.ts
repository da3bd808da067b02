import { median } from '../statistics.ts';

/** One side's figures of a pair, and the other's, measured right after one another. */
export interface Pair<Result> {
  readonly ours: Result;
  readonly other: Result;
}

/**
 * Measures two sides in turns, so that whatever else the machine does meets both alike. Who begins changes with each
 * pair. A first round is not counted: code that is run often gets quicker.
 */
export async function inPairs<Result>(
  pairs: number,
  ours: (round: number) => Promise<Result>,
  other: (round: number) => Promise<Result>,
): Promise<readonly Pair<Result>[]> {
  await ours(0);
  await other(0);
  const measured: Pair<Result>[] = [];
  for (let round = 1; round <= pairs; round++) {
    if (round % 2 === 0) measured.push({ ours: await ours(round), other: await other(round) });
    else {
      const first = await other(round);
      measured.push({ ours: await ours(round), other: first });
    }
  }
  return measured;
}

/** The median of the pairs' ratios. */
export const ratioOf = <Result>(pairs: readonly Pair<Result>[], of: (result: Result) => number): number =>
  median(pairs.map(({ ours, other }) => of(ours) / of(other)));
