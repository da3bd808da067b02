/** Milliseconds since the epoch with a fraction, comparable between processes of one machine. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

/** The Bot API counts in whole seconds. */
export const unixSeconds = (ms: number): number => Math.floor(ms / 1000);
