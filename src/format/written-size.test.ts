import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from './parse.ts';
import { serialize } from './serialize.ts';
import { bombs } from './testing/bombs.ts';
import { answers, soup } from './testing/markdown.ts';
import { writtenSize } from './written-size.ts';

/** How much longer a text may be than it was taken for: characters beside emphasis are written as `&#x5185;`. */
const REFERENCES = 1.1;
const CONSTANT = 60;

test('what is written is about as long as it was taken for', () => {
  const sizes = (markdown: string): readonly [number, number] => {
    const document = parse(markdown);
    return [serialize(document).length, writtenSize(document)];
  };
  fc.assert(
    fc.property(fc.oneof(answers, soup), (markdown) => {
      const [written, size] = sizes(markdown);
      assert.ok(written <= size * REFERENCES + CONSTANT, `${written} for ${size}`);
    }),
    { numRuns: 200 },
  );
  for (const [name, bomb] of Object.entries(bombs)) {
    const [written, size] = sizes(bomb(5_000));
    assert.ok(written <= size && size <= written * 2 + CONSTANT, `${name}: ${written} for ${size}`);
  }
  const prose =
    'Its **price** is 5 €, see [the list](https://example.com/a_b?c=d).\n\n- one *thing*\n- another `x`\n\n';
  const [written, size] = sizes(prose.repeat(50));
  assert.ok(written <= size && size <= written * 1.2, `${written} for ${size}`);
});
