export interface NormalizeContext {
  /** The channel's name in the configuration. */
  readonly channel: string;
  /** Milliseconds since the epoch; stands in for a time that is not told. */
  readonly now: number;
}

/** No puppet tells times before this, in milliseconds; what is smaller is in seconds. */
const SECONDS_BELOW = 100_000_000_000;

/** A puppet's time, in seconds or milliseconds, as milliseconds since the epoch. */
export function millisOf(timestamp: number, now: number): number {
  if (!Number.isFinite(timestamp) || timestamp <= 0) return now;
  return Math.round(timestamp < SECONDS_BELOW ? timestamp * 1_000 : timestamp);
}
