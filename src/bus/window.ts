import type { RateLimit } from '../channel/port.ts';

/**
 * Sliding windows are kept this much longer than asked for, as a share of their length: a platform counts calls as
 * they reach it, and calls do not all take equally long to get there.
 */
const MARGIN = 0.05;

/** One call that counts against its limits. */
export interface Reservation {
  readonly at: number;
  readonly limits: readonly RateLimit[];
}

/** Exact sliding windows (no buckets, no bursts at their edges) and pauses, for any number of scopes. Holds no timer. */
export interface Windows {
  /** The earliest time at which one more call keeps to all limits and pauses; `now` when that is at once. */
  freeAt(limits: readonly RateLimit[], now: number): number;
  reserve(limits: readonly RateLimit[], at: number): Reservation;
  /** The call was not counted by the platform, or not made. */
  giveBack(reservation: Reservation): void;
  /** Nothing under this scope before `until`. A pause only ever grows. */
  pause(scope: string, until: number): void;
  /** Forgets what no longer matters. */
  prune(now: number): void;
}

interface Window {
  readonly reservations: Reservation[];
  readonly lengthMs: number;
  readonly count: number;
}

/** How long a call counts against the limit, in milliseconds. */
export const countsForMs = (limit: RateLimit): number => Math.ceil(limit.windowMs * (1 + MARGIN));

export function createWindows(): Windows {
  const windows = new Map<string, Window>();
  const pauses = new Map<string, number>();
  // One scope may have several limits, such as one a second and twenty a minute.
  const keyOf = (limit: RateLimit): string => `${limit.count}/${limit.windowMs} ${limit.scope}`;
  const countOf = (limit: RateLimit): number => Math.max(1, limit.count);

  return {
    freeAt: (limits, now) => {
      let free = now;
      for (const limit of limits) {
        free = Math.max(free, pauses.get(limit.scope) ?? 0);
        const window = windows.get(keyOf(limit));
        // The window is full until the newest but `count` has left it.
        const blocking = window?.reservations.at(-countOf(limit));
        if (blocking !== undefined) free = Math.max(free, blocking.at + countsForMs(limit));
      }
      return free;
    },
    reserve: (limits, at) => {
      const reservation: Reservation = { at, limits };
      for (const limit of limits) {
        const key = keyOf(limit);
        const window = windows.get(key) ?? { reservations: [], lengthMs: countsForMs(limit), count: countOf(limit) };
        windows.set(key, window);
        // Nearly always the newest; the clock may have been set back, and reservations must stay in order.
        let place = window.reservations.length;
        while (place > 0 && (window.reservations[place - 1]?.at ?? 0) > at) place--;
        window.reservations.splice(place, 0, reservation);
        if (window.reservations.length > window.count) window.reservations.shift();
      }
      return reservation;
    },
    giveBack: (reservation) => {
      for (const limit of reservation.limits) {
        const reservations = windows.get(keyOf(limit))?.reservations;
        const place = reservations?.indexOf(reservation) ?? -1;
        if (place >= 0) reservations?.splice(place, 1);
      }
    },
    pause: (scope, until) => {
      pauses.set(scope, Math.max(until, pauses.get(scope) ?? 0));
    },
    prune: (now) => {
      for (const [scope, until] of pauses) if (until <= now) pauses.delete(scope);
      for (const [key, window] of windows) {
        const newest = window.reservations.at(-1);
        if (newest === undefined || newest.at + window.lengthMs <= now) windows.delete(key);
      }
    },
  };
}
