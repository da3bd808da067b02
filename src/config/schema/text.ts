import { z } from 'zod';

/** Names end up in URLs, keys and log lines, so they are kept to what is safe in all of them. */
export const nameText = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'expected a name of letters, digits, "-" and "_", at most 64 long');

export const filledText = z.string().min(1);

const looksLikeNumber = (text: string): boolean => text.trim() !== '' && !Number.isNaN(Number(text));

/** Where something listens. A bare number was meant for the port. */
export const hostText = filledText.refine(
  (text) => !looksLikeNumber(text),
  'expected an address such as 127.0.0.1, not a number',
);

/** A number alone was hardly meant; a folder of such a name is still to be had. */
export const folderText = filledText.refine(
  (text) => !looksLikeNumber(text),
  'expected a folder such as ./data, not a number (write "./7" for a folder named 7)',
);

export const urlExpected = 'expected a URL that starts with http:// or https://';

export const isHttpUrl = (text: string): boolean => isUrl(text, ['http:', 'https:']);

export const httpUrl = z.string().refine(isHttpUrl, urlExpected);

/** One URL of a Redis, or those of a cluster's nodes with commas between; a comma may stand in a password, too. */
export const redisUrl = z
  .string()
  .refine(
    (text) => text === '' || text.split(/,\s*(?=rediss?:\/\/)/).every((node) => isUrl(node, ['redis:', 'rediss:'])),
    'expected a URL that starts with redis:// or rediss://',
  )
  .optional()
  .meta({ secret: true });

/** A URL of one of these schemes; empty text counts as not given, so that `${NAME:-}` works. */
export const serviceUrl = (schemes: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => text === '' || isUrl(text, schemes),
      `expected a URL that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
    )
    .optional()
    .meta({ secret: true });

function isUrl(text: string, schemes: readonly string[]): boolean {
  return URL.canParse(text) && schemes.includes(new URL(text).protocol);
}

export const timeZoneText = z
  .string()
  .refine(isTimeZone, 'expected an IANA time zone such as Europe/Berlin or Asia/Shanghai');

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const seconds = z.number().positive().max(86_400);
