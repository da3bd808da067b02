import type { ResetPolicy } from '../channel/book.ts';

const DAY_MINUTES = 1_440;
const MINUTE_MS = 60_000;

/** Is a conversation over whose last run began at `lastAt`? Moments are milliseconds since the epoch. */
export function isOver({ idleMs, dailyAtMinute }: ResetPolicy, lastAt: number, now: number, timeZone: string): boolean {
  if (idleMs !== null && now - lastAt >= idleMs) return true;
  return dailyAtMinute !== null && lastAt < dayBegin(dailyAtMinute, now, timeZone);
}

/** When the current day began that begins so many minutes after midnight. On the day of a clock change, an hour off. */
function dayBegin(minute: number, now: number, timeZone: string): number {
  const since = (minuteOfDay(now, timeZone) - minute + DAY_MINUTES) % DAY_MINUTES;
  return now - (now % MINUTE_MS) - since * MINUTE_MS;
}

function minuteOfDay(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' });
  const of = (type: 'hour' | 'minute'): number =>
    Number(parts.formatToParts(at).find((part) => part.type === type)?.value ?? 0);
  return of('hour') * 60 + of('minute');
}
