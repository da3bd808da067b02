import { Windows } from '../kit/windows.ts';
import { ApiError } from './api-error.ts';

/** Counts calls in the last second under a name. */
export class Flood {
  readonly #windows: Windows;

  constructor(now: () => number) {
    this.#windows = new Windows(now);
  }

  /** @throws ApiError when it is one call too many. */
  count(name: string, perSecond: number, code = 99991400): void {
    const waitMs = this.#windows.take(name, perSecond, 1_000);
    if (waitMs > 0) throw new ApiError(code, 'request trigger frequency limit', Math.ceil(waitMs / 1_000));
  }
}
