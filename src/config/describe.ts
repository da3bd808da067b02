import type { z } from 'zod';
import { didYouMean } from '../base/near.ts';

/** Stands for "no message of the schema's own", so that those that have one are kept. */
export const unworded = '\u0000';

const expectations: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys and values',
  record: 'keys and values',
};

/**
 * Words what zod found. `shown` says how the value may be shown: a secret, or what came from a variable, never is.
 */
export function describeIssue(issue: z.core.$ZodIssue, value: unknown, shown: (value: unknown) => string): string {
  if (issue.message !== unworded) return issue.message;
  switch (issue.code) {
    case 'invalid_type': {
      const expected = expectations[issue.expected] ?? issue.expected;
      return value === undefined ? `missing; expected ${expected}` : `expected ${expected}, got ${shown(value)}`;
    }
    case 'invalid_value': {
      const choices = issue.values.map(String);
      if (value === undefined) return `missing; expected ${orList(choices)}`;
      const near = typeof value === 'string' ? didYouMean(value, choices) : '';
      return `expected ${orList(choices)}, got ${shown(value)}${near}`;
    }
    case 'too_small':
      if (issue.origin === 'string') return 'expected text that is not empty';
      return `expected ${bound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin)}, got ${shown(value)}`;
    case 'too_big':
      return `expected ${bound(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin)}, got ${shown(value)}`;
    case 'invalid_format':
      if (issue.format === 'url') return 'expected a URL such as https://example.com';
      return `expected a valid ${issue.format}`;
    case 'invalid_key': {
      const [wrong] = issue.issues;
      return wrong === undefined ? 'not a valid key' : describeIssue(wrong, issue.path.at(-1), shown);
    }
    default:
      return 'not a valid value';
  }
}

/** `"a", "b" or "c"` */
export function orList(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `"${choice}"`);
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].filter((part) => part !== '').join(' or ');
}

function bound(word: string, limit: number | bigint, origin: string): string {
  const unit = origin === 'array' ? ' items' : origin === 'string' ? ' characters' : '';
  return `${word} ${limit}${unit}`;
}

/** A value as an error may show it: short, and nothing that could be a key or a token in the wrong place. */
export function showValue(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'keys and values';
  if (typeof value === 'string') return looksSecret(value) ? 'other text' : JSON.stringify(value);
  return String(value);
}

const looksSecret = (text: string): boolean =>
  text.length > 32 || (text.length >= 12 && /\d/.test(text)) || /[\n:@]/.test(text);
