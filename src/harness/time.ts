/** Dates in people's own time zones. */

const MAX_FORMATTERS = 64;
/** Building a formatter takes far longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  formatters.set(timeZone, formatter);
  return formatter;
}

/** Is this the IANA name of a time zone (or an offset such as `+08:00`)? */
export function isTimeZone(name: string): boolean {
  try {
    formatterFor(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes a moment for a model, e.g. `Sunday, 2026-03-01 14:05 (Asia/Shanghai, UTC+08:00)`. A zone that does not exist
 * is read as UTC.
 */
export function writeMoment(at: number, timeZone: string): string {
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
  const parts = new Map(
    formatterFor(zone)
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const offset = part('timeZoneName').replace('GMT', 'UTC');
  const date = `${part('year')}-${part('month')}-${part('day')}`;
  return `${part('weekday')}, ${date} ${part('hour')}:${part('minute')} (${zone === 'UTC' ? zone : `${zone}, ${offset}`})`;
}
