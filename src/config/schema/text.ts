import { z } from 'zod';

/** Names end up in URLs, keys and log lines, so they are kept to what is safe in all of them. */
export const nameText = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'expected a name of letters, digits, "-" and "_", at most 64 long');

export const filledText = z.string().min(1);

export const httpUrl = z
  .string()
  .refine((text) => isUrl(text, ['http:', 'https:']), 'expected a URL that starts with http:// or https://');

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

export const seconds = z.number().positive().max(86_400);
