import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { optionsOf } from './ask-clarification.ts';
import { readArguments } from './read-arguments.ts';

const schema = z.object({
  text: z.string(),
  limit: z.int().optional(),
  all: z.boolean().optional(),
  items: z.array(z.object({ id: z.string(), done: z.boolean().optional() })).optional(),
});

for (const [how, written, meant] of [
  ['null for what is left out', { text: 'a', limit: null, items: null }, { text: 'a' }],
  ['numbers and truth values as texts', { text: '1', limit: '20', all: 'true' }, { text: '1', limit: 20, all: true }],
  ['a list as JSON in a text', { text: 'a', items: '[{"id":"1"}]' }, { text: 'a', items: [{ id: '1' }] }],
  ['null within a list', { text: 'a', items: [{ id: '1', done: null }] }, { text: 'a', items: [{ id: '1' }] }],
] as const)
  test(`arguments are taken as they are meant: ${how}`, () => {
    const before = structuredClone(written);
    assert.deepEqual(readArguments(schema, written).data, meant);
    assert.deepEqual(written, before, 'what the model wrote stays as it is');
  });

test('what cannot be meant is refused, with what was written', () => {
  for (const wrong of [{ text: null }, { text: 'a', limit: 'many' }, { text: 'a', items: '{}' }, null, 'text', []])
    assert.equal(readArguments(schema, wrong).success, false, JSON.stringify(wrong));
});

test('options that came as a text are shown as options, not as letters', () => {
  const written = JSON.stringify({ question: 'Which day?', options: '["Friday", "Monday"]' });
  assert.deepEqual(optionsOf(written), ['Friday', 'Monday']);
});
