import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitByBytes, splitByChars } from './split.ts';
import { textOf } from './text.ts';

const buttons = [
  { label: 'Yes', value: 'y' },
  { label: 'No', value: 'n' },
];

test('a text at the limit is one message, one beyond it is two: 16 KiB of UTF-8 by iLink, 2,000 characters by a puppet', () => {
  const bytes = (text: string): number => splitByBytes({ markdown: text }).length;
  assert.deepEqual(['x'.repeat(16_384), 'x'.repeat(16_385)].map(bytes), [1, 2]);
  assert.deepEqual(['谢'.repeat(5_461), '谢'.repeat(5_462)].map(bytes), [1, 2]);
  const chars = (text: string): number => splitByChars({ markdown: text }).length;
  assert.deepEqual(['谢'.repeat(2_000), '谢'.repeat(2_001)].map(chars), [1, 2]);
});

test('every part fits with its buttons, which stand under the last one alone', () => {
  const markdown = Array.from({ length: 4_000 }, (_, index) => `word${index}`).join(' ');
  for (const [split, style, size, limit] of [
    [splitByBytes, 'ilink', (text: string) => Buffer.byteLength(text), 16_384],
    [splitByChars, 'plain', (text: string) => text.length, 2_000],
  ] as const) {
    const parts = split({ markdown, buttons });
    assert.ok(parts.length > 1);
    for (const part of parts) assert.ok(size(textOf(part, style)) <= limit);
    assert.deepEqual(
      parts.map((part) => part.buttons !== undefined),
      parts.map((_, at) => at === parts.length - 1),
    );
  }
});

test('whatever is said, every part fits', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.constantFrom(
      '```\n',
      '\n\n',
      '- ',
      '> ',
      '|a|b|\n|-|-|\n',
      '**',
      '`',
      '谢'.repeat(900),
      '<b>',
      '👨‍👩‍👧‍👦'.repeat(90),
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const parts = splitByChars({ markdown: pieces.join('') });
      assert.ok(parts.length > 0);
      for (const part of parts) assert.ok(textOf(part, 'plain').length <= 2_000);
    }),
    { numRuns: 60 },
  );
});
