import { ApiError } from './api-error.ts';

/** Counts calls in the last second under a name. */
export class Flood {
  readonly #times = new Map<string, number[]>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws ApiError when it is one call too many. */
  count(name: string, perSecond: number, code = 99991400): void {
    const now = this.#now();
    const times = (this.#times.get(name) ?? []).filter((at) => at > now - 1_000);
    this.#times.set(name, times);
    if (times.length >= perSecond) throw new ApiError(code, 'request trigger frequency limit', 1);
    times.push(now);
  }
}
