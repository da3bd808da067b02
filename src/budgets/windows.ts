import { BoundedMap } from '../base/bounded-map.ts';
import type { Windows } from '../store/port.ts';

/** From `start` until just before `end`, in milliseconds since the epoch. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** The hour and the day that are running at a moment. */
export interface Running {
  readonly hour: Window;
  readonly day: Window;
}

const HOUR_MS = 3_600_000;
/** No day of a time zone is longer: clocks are put back by an hour or two, and dates that were skipped only make one shorter. */
const LONGEST_DAY_MS = 27 * HOUR_MS;
const MAX_ZONES = 64;

/** Of the clock; the same in every zone but for those that are half an hour off. */
export function hourOf(at: number): Window {
  const start = Math.floor(at / HOUR_MS) * HOUR_MS;
  return { start, end: start + HOUR_MS };
}

export const runningAt = (at: number, timeZone: string): Running => ({ hour: hourOf(at), day: dayOf(at, timeZone) });

/** When they began, by which they are counted. */
export const startsOf = ({ hour, day }: Running): Windows => ({ hour: hour.start, day: day.start });

const found = new BoundedMap<string, Window>(MAX_ZONES);
const formatters = new BoundedMap<string, Intl.DateTimeFormat>(MAX_ZONES);

/** The calendar day of a time zone, which has 23 or 25 hours when its clocks are changed. */
export function dayOf(at: number, timeZone: string): Window {
  const known = found.get(timeZone);
  if (known !== undefined && known.start <= at && at < known.end) return known;
  const date = dateIn(timeZone);
  const today = date(at);
  const start = firstMoment(at - LONGEST_DAY_MS, at, (moment) => date(moment) === today);
  const end = firstMoment(at, at + LONGEST_DAY_MS, (moment) => date(moment) !== today);
  const day = { start, end };
  found.set(timeZone, day);
  return day;
}

function dateIn(timeZone: string): (at: number) => string {
  const known = formatters.get(timeZone);
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const formatter = known ?? new Intl.DateTimeFormat('en-CA', options);
  if (known === undefined) formatters.set(timeZone, formatter);
  return (at) => formatter.format(at);
}

/** The first moment after `from` at which something is so that stays so until `to`; whole seconds, as zones have them. */
function firstMoment(from: number, to: number, isSo: (moment: number) => boolean): number {
  let [before, after] = [Math.floor(from / 1000), Math.floor(to / 1000)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isSo(middle * 1000)) after = middle;
    else before = middle;
  }
  return after * 1000;
}
