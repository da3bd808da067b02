import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { readBody } from './body.ts';
import { AntlerError } from './errors.ts';

const schema = z.object({
  text: z.string().min(1).max(5),
  id: z.string().regex(/^\w+$/, 'letters only').default('a'),
  place: z.object({ count: z.int().max(3) }).default({ count: 1 }),
});

const wrong: readonly (readonly [unknown, string])[] = [
  [null, 'bad_input the body: expected an object, got null'],
  ['hello', 'bad_input the body: expected an object, got a text'],
  [{}, 'bad_input text: missing; expected a text'],
  [{ text: 5 }, 'bad_input text: expected a text, got a number'],
  [{ text: ['x'] }, 'bad_input text: expected a text, got a list'],
  [{ text: '' }, 'bad_input text: must not be empty'],
  [{ text: '123456' }, 'too_large text: at most 5 characters'],
  [{ text: 'x', id: '-' }, 'bad_input id: letters only'],
  [{ text: 'x', place: { count: 4 } }, 'bad_input place.count: at most 3'],
];

test('an error about a body names the field and says what was expected there', () => {
  for (const [body, expected] of wrong)
    assert.throws(
      () => readBody(schema, body),
      (error) => error instanceof AntlerError && assert.equal(`${error.code} ${error.message}`, expected) === undefined,
    );
  assert.deepEqual(readBody(schema, { text: 'x' }), { text: 'x', id: 'a', place: { count: 1 } });
});
