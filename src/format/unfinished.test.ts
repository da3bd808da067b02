import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { soup } from './testing/markdown.ts';
import { mend } from './unfinished.ts';

test('a text that stops anywhere reads as it will when it goes on', () => {
  const table: [string, string][] = [
    ['a **bol', 'a **bol**'],
    ['a **bold*', 'a **bold**'],
    ['a **bold**', 'a **bold**'],
    ['a **', 'a'],
    ['**bold and _it', '**bold and _it_**'],
    ['***both', '***both***'],
    ['a ~~gone', 'a ~~gone~~'],
    ['run `npm i', 'run `npm i`'],
    ['run `', 'run'],
    ['a ``x ` y', 'a ``x ` y``'],
    ['`a*b` c', '`a*b` c'],
    ['see [the docs](https://exa', 'see the docs'],
    ['see [the docs](https://example.com/a_b)', 'see [the docs](https://example.com/a_b)'],
    ['**see [docs](http', '**see docs**'],
    ['![pic](http', 'pic'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['snake_case_name', 'snake_case_name'],
    ['\\*not', '\\*not'],
    ['- one\n- **two', '- one\n- **two**'],
    ['> quoted **so', '> quoted **so**'],
    ['# Big **ti', '# Big **ti**'],
    ['```py\nprint(1)\n``', '```py\nprint(1)'],
    ['```py\na **b', '```py\na **b'],
    ['text\n\n| a | b |', 'text\n\n'],
    ['text\n\n| a | b |\n| --', 'text\n\n'],
    ['| a | b |\n| - | - |\n| **c', '| a | b |\n| - | - |\n| **c**'],
    ['done **x**\n\nnew _y', 'done **x**\n\nnew _y_'],
    ['', ''],
  ];
  for (const [source, expected] of table) assert.equal(mend(source), expected, JSON.stringify(source));
});

test('no text is too broken to be mended', () => {
  fc.assert(
    fc.property(soup, (markdown) => {
      assert.equal(typeof mend(markdown), 'string');
    }),
    { numRuns: 200 },
  );
});
