/**
 * The largest `n` in 0..`max` for which `fits(n)` holds, where it holds for every smaller one too; 0 needs no asking.
 * Doubles its steps first, so that what is far too long is hardly ever measured whole.
 */
export function largest(max: number, fits: (n: number) => boolean): number {
  let low = 0;
  let high = 1;
  while (high <= max && fits(high)) {
    low = high;
    high *= 2;
  }
  high = Math.min(high, max + 1);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
