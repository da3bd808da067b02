import { CronExpressionParser } from 'cron-parser';
import { AntlerError } from '../base/errors.ts';
import type { When } from './port.ts';

const MINUTE_MS = 60_000;

/** The first moment after `after` at which it is due; null: never. @throws AntlerError `bad_input` for a wrong expression. */
export function nextAfter(when: When, after: number): number | null {
  if (when.kind === 'once') return when.at > after ? when.at : null;
  return cronOf(when.cron, when.timeZone, after).next().getTime();
}

/** Minutes only: five fields. */
function cronOf(cron: string, timeZone: string, after: number) {
  if (cron.trim().split(/\s+/).length !== 5)
    throw new AntlerError('bad_input', 'expected a cron expression of five fields, such as "0 9 * * 1-5"');
  try {
    return CronExpressionParser.parse(cron, { currentDate: new Date(after), tz: timeZone });
  } catch (error) {
    throw new AntlerError('bad_input', `no cron expression: ${error instanceof Error ? error.message : cron}`);
  }
}

export interface ReadWhen {
  readonly when: When;
  /** What stands behind it. */
  readonly rest: string;
}

const DAYS: Readonly<Record<string, string>> = {
  day: '*',
  weekday: '1-5',
  weekend: '0,6',
  monday: '1',
  tuesday: '2',
  wednesday: '3',
  thursday: '4',
  friday: '5',
  saturday: '6',
  sunday: '0',
  每天: '*',
  工作日: '1-5',
  每个工作日: '1-5',
  每周一: '1',
  每周二: '2',
  每周三: '3',
  每周四: '4',
  每周五: '5',
  每周六: '6',
  每周日: '0',
};

const CLOCK = String.raw`(\d{1,2})(?:[:：](\d{2})|[点點](?:(\d{1,2})分?)?)?`;
const BEHIND = String.raw`[\s,，:：]*([\s\S]*)$`;
const DAILY = new RegExp(`^(${Object.keys(DAYS).join('|')})\\s*(?:at\\s+)?${CLOCK}${BEHIND}`, 'i');
const CRON = /^"([^"]+)"\s*([\s\S]*)$/;
const EVERY = /^(\d{1,3})\s*(minutes?|hours?|分钟|小时)\s*([\s\S]*)$/i;

/**
 * Reads what stands behind `/every`: `day 9:00 …`, `weekday 9 …`, `monday at 18:30 …`, `30 minutes …`, `每天9点 …`, or a cron
 * expression in quotes. Null: none of these.
 */
export function readEvery(text: string, timeZone: string): ReadWhen | null {
  const cron = CRON.exec(text.trim());
  if (cron?.[1] !== undefined) {
    const when: When = { kind: 'cron', cron: cron[1], timeZone };
    nextAfter(when, 0);
    return { when, rest: cron[2]?.trim() ?? '' };
  }
  const often = EVERY.exec(text.trim());
  if (often !== null) {
    const [, count = '', unit = '', rest = ''] = often;
    const isHours = /^(h|小)/i.test(unit);
    const most = isHours ? 23 : 59;
    if (Number(count) < 1 || Number(count) > most) return null;
    return {
      when: { kind: 'cron', cron: isHours ? `0 */${count} * * *` : `*/${count} * * * *`, timeZone },
      rest: rest.trim(),
    };
  }
  const daily = DAILY.exec(text.trim());
  if (daily === null) return null;
  const [, day = '', hour = '', minute, chinese, rest = ''] = daily;
  const time = clockTime(hour, minute ?? chinese ?? '0');
  const days = DAYS[day.toLowerCase()];
  if (time === null || days === undefined) return null;
  return { when: { kind: 'cron', cron: `${time.minute} ${time.hour} * * ${days}`, timeZone }, rest: rest.trim() };
}

const IN = /^(?:in\s+)?(\d{1,4})\s*(minutes?|hours?|days?|分钟|小时|天)(?:后|以后|之后)?[\s,，:：]*([\s\S]*)$/i;
const AT_DAY = new RegExp(`^(today|tomorrow|今天|明天)\\s*(?:at\\s+)?${CLOCK}${BEHIND}`, 'i');
const AT_DATE = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})[T\\s]+${CLOCK}${BEHIND}`);
const AT_TIME = new RegExp(`^${CLOCK}${BEHIND}`);

/**
 * Reads what stands behind `/at`: `18:30 …`, `tomorrow 9:00 …`, `2030-01-31 18:00 …`, `in 20 minutes …`, `明天9点 …`. A time
 * of day that is over is tomorrow's. Null: none of these, or a moment that is over.
 */
export function readAt(text: string, timeZone: string, now: number): ReadWhen | null {
  const later = IN.exec(text.trim());
  if (later !== null) {
    const [, count = '', unit = '', rest = ''] = later;
    const minutes = /^(h|小)/i.test(unit) ? 60 : /^(d|天)/i.test(unit) ? 1_440 : 1;
    return { when: { kind: 'once', at: now + Number(count) * minutes * MINUTE_MS }, rest: rest.trim() };
  }
  const dated = AT_DATE.exec(text.trim());
  if (dated !== null) {
    const [, date = '', hour = '', minute, chinese, rest = ''] = dated;
    const time = clockTime(hour, minute ?? chinese ?? '0');
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
    if (time === null || !isDate(year, month, day)) return null;
    const cron = `${time.minute} ${time.hour} ${day} ${month} *`;
    const at = nextAfter({ kind: 'cron', cron, timeZone }, Date.UTC(year, month - 1, day) - 2 * 86_400_000);
    return at === null || at <= now ? null : { when: { kind: 'once', at }, rest: rest.trim() };
  }
  const named = AT_DAY.exec(text.trim());
  const [, word, hour = '', minute, chinese, rest = ''] = named ?? [
    '',
    undefined,
    ...(AT_TIME.exec(text.trim()) ?? []).slice(1),
  ];
  const time = clockTime(hour, minute ?? chinese ?? '0');
  if (time === null) return null;
  const cron = { kind: 'cron', cron: `${time.minute} ${time.hour} * * *`, timeZone } as const;
  const from = word !== undefined && /^(tomorrow|明天)$/i.test(word) ? endOfDay(now, timeZone) : now;
  const at = nextAfter(cron, from);
  const isTooLate = word !== undefined && /^(today|今天)$/i.test(word) && at !== null && at > endOfDay(now, timeZone);
  return at === null || isTooLate ? null : { when: { kind: 'once', at }, rest: rest.trim() };
}

/** Just before the next midnight. */
function endOfDay(now: number, timeZone: string): number {
  return (nextAfter({ kind: 'cron', cron: '0 0 * * *', timeZone }, now) ?? now) - 1;
}

function clockTime(hour: string, minute: string): { readonly hour: number; readonly minute: number } | null {
  const [hours, minutes] = [Number(hour), Number(minute)];
  return hour === '' || hours > 23 || minutes > 59 ? null : { hour: hours, minute: minutes };
}

function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
