import type { z } from 'zod';
import { AntlerError } from './errors.ts';

/**
 * Takes the parsed body of a request for what its schema says. The schema's own messages say what a field must be,
 * without its name, which is put before them here.
 *
 * @throws AntlerError `bad_input` that names the first wrong field (`text: expected a text, got a number`), `too_large`
 * for a text over its limit.
 */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const read = schema.safeParse(body, { error: wordsFor });
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const field = issue?.path.map(String).join('.') ?? '';
  const code = issue?.code === 'too_big' && issue.origin === 'string' ? 'too_large' : 'bad_input';
  throw new AntlerError(code, `${field === '' ? 'the body' : field}: ${issue?.message ?? 'not understood'}`);
}

function wordsFor(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = kinds[issue.expected] ?? issue.expected;
      return issue.input === undefined
        ? `missing; expected ${expected}`
        : `expected ${expected}, got ${kindOf(issue.input)}`;
    }
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `at least ${issue.minimum}`;
    case 'too_big':
      return `at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    default:
      return 'not a value that is understood here';
  }
}

/** What a value is called in JSON's terms. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return kinds[typeof value] ?? typeof value;
}
