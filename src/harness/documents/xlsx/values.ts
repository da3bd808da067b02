import { attribute, child, children, parseXml, type XmlNode } from '../ooxml/xml.ts';

/** How a cell's number is meant. */
export type NumberFormat = 'number' | 'percent' | 'date' | 'time' | 'duration';

/** The formats that have a number instead of a text (ECMA-376, part 1, 18.8.30); those of East Asia included. */
function builtIn(id: number): NumberFormat {
  if (id === 9 || id === 10) return 'percent';
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58))
    return 'date';
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47) return 'time';
  return id === 46 ? 'duration' : 'number';
}

/** What a format's text makes of a number, e.g. `yyyy"年"m"月"` or `0.0%`. */
export function formatKind(code: string): NumberFormat {
  const [positive = ''] = code.split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return 'duration';
  const bare = positive.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '');
  if (/general/i.test(bare)) return 'number';
  if (/[yd]/i.test(bare)) return 'date';
  if (/[hs]/i.test(bare)) return 'time';
  if (/m/i.test(bare)) return 'date';
  return bare.includes('%') ? 'percent' : 'number';
}

/** The format of each cell style, by its index. */
export function cellFormats(stylesXml: string | undefined): readonly NumberFormat[] {
  const sheet = stylesXml === undefined ? undefined : child(parseXml(stylesXml), 'styleSheet');
  const own = new Map(
    children(child(sheet, 'numFmts'), 'numFmt').map((one) => [
      attribute(one, 'numFmtId'),
      formatKind(attribute(one, 'formatCode') ?? ''),
    ]),
  );
  return children(child(sheet, 'cellXfs'), 'xf').map((xf) => {
    const id = attribute(xf, 'numFmtId') ?? '0';
    return own.get(id) ?? builtIn(Number(id));
  });
}

const DAY_MS = 86_400_000;
/** Days between Excel's day 0 and 1970. */
const EPOCH_DAYS = 25_569;
/** Days by which workbooks that count from 1904 (old Macs) differ. */
const DAYS_TO_1904 = 1_462;
/** Excel believes in 29 February 1900, as Lotus did; before it all days are one off. */
const FALSE_LEAP_DAY = 60;
const LAST_DAY = 2_958_465; // 31 December 9999

/** A number as its format shows it. */
export function writeNumber(raw: string, format: NumberFormat, from1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  switch (format) {
    case 'number':
      return plain(value);
    case 'percent':
      return `${plain(value * 100)}%`;
    case 'duration':
      return clock(value);
    case 'date':
    case 'time':
      return moment(value, format, from1904) ?? plain(value);
    default:
      return format satisfies never;
  }
}

/** As Excel has it: fifteen digits, so that 0.1 + 0.2 is 0.3. */
const plain = (value: number): string => String(Number(value.toPrecision(15)));

function clock(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (days < 0 ? '-' : '') + parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function moment(value: number, format: 'date' | 'time', from1904: boolean): string | null {
  if (format === 'time' && value >= 0 && value < 1) return clock(value);
  const serial = value + (from1904 ? DAYS_TO_1904 : 0);
  if (serial < 0 || serial > LAST_DAY + 1) return null;
  const days = serial < FALSE_LEAP_DAY ? serial + 1 : serial;
  const text = new Date(Math.round(((days - EPOCH_DAYS) * DAY_MS) / 1_000) * 1_000).toISOString();
  return Number.isInteger(value) ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
}

/** The text of a shared or inline string, without the readings that stand above Japanese. */
export function stringOf(node: XmlNode | undefined): string {
  const direct = children(node, 't');
  const runs = children(node, 'r').flatMap((run) => children(run, 't'));
  return [...direct, ...runs].map((part) => String(part['#text'] ?? '')).join('');
}
