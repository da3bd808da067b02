import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from './parse.ts';
import { parseTree } from './reading.ts';
import { segmentsOf } from './segments.ts';
import { settle } from './settle.ts';
import { answers, lines, soup } from './testing/markdown.ts';

test('a text read in segments is the text read whole', () => {
  fc.assert(
    fc.property(fc.oneof(answers, soup, lines), (markdown) => {
      assert.equal(segmentsOf(markdown).join(''), markdown);
      assert.deepEqual(parse(markdown), settle(parseTree(markdown)));
    }),
    { numRuns: 400 },
  );
});

test('a growing text keeps its segments', () => {
  const text = '# Title\n\nOne.\n\n- a\n\n- b\n\n```js\nx\n\ny\n```\n\nTwo.\n\nThree';
  assert.deepEqual(segmentsOf(text), [
    '# Title\n\n',
    'One.\n\n',
    '- a\n\n- b\n\n',
    '```js\nx\n\ny\n```\n\n',
    'Two.\n\n',
    'Three',
  ]);
  assert.deepEqual(segmentsOf(text.slice(0, 34)), ['# Title\n\n', 'One.\n\n', '- a\n\n- b\n\n', '```js\nx\n\n']);
});

test('a fence within a list leaves what follows to itself', () => {
  assert.deepEqual(segmentsOf('1. Run:\n   ```sh\n   ls\n   ```\n2. Look.\n\nDone.\n\nMore'), [
    '1. Run:\n   ```sh\n   ls\n   ```\n2. Look.\n\n',
    'Done.\n\n',
    'More',
  ]);
});

test('a table is read up to a size that can be looked at', () => {
  const table = (columns: number, rows: number): string =>
    ['a', '-', ...Array.from({ length: rows }, () => 'b')].map((cell) => `|${`${cell}|`.repeat(columns)}`).join('\n');
  const kinds: [string, string][] = [
    [table(10, 200), 'table'],
    [table(100, 20), 'table'],
    [table(101, 1), 'code'],
    [table(10, 600), 'code'],
  ];
  for (const [markdown, type] of kinds) {
    const { children } = parse(`${markdown}\n\n**b**`);
    assert.deepEqual(
      children.map((block) => block.type),
      [type, 'paragraph'],
    );
  }
});

test('of a text without end the beginning is formatted, the rest shown as it was written', () => {
  const { children } = parse('A **b** `c` [d](e).\n\n'.repeat(20_000));
  assert.ok(children.length > 500);
  assert.ok(children.slice(0, -1).every(({ type }) => type === 'paragraph'));
  assert.equal(children.at(-1)?.type, 'code');
});

test('references, footnotes and HTML are resolved', () => {
  const paragraph = (...children: object[]) => ({ type: 'paragraph', children });
  const text = (value: string) => ({ type: 'text', value });
  const table: [string, object[]][] = [
    [
      '[a][1] ![p][1]\n\n[1]: http://x',
      [
        paragraph({ type: 'link', url: 'http://x', children: [text('a')] }, text(' '), {
          type: 'image',
          url: 'http://x',
          alt: 'p',
        }),
      ],
    ],
    ['fact[^n]\n\n[^n]: source', [paragraph(text('fact[n]')), paragraph(text('[n] '), text('source'))]],
    ['a<br>b <i>c', [paragraph(text('a'), { type: 'break' }, text('b <i>c'))]],
    ['<!-- hidden -->\n\nseen', [paragraph(text('seen'))]],
    ['**重点：**内容', [paragraph({ type: 'strong', children: [text('重点：')] }, text('内容'))]],
    ['2 ** 3 ** 4 和 \\*\\*不\\*\\*是', [paragraph(text('2 ** 3 ** 4 和 **不**是'))]],
    [String.raw`\*\*重点：\*\*内容 http\://x.y`, [paragraph(text('**重点：**内容 http://x.y'))]],
    ['约~5到~10', [paragraph(text('约~5到~10'))]],
  ];
  for (const [markdown, children] of table) assert.deepEqual(parse(markdown).children, children, markdown);
});

test('nesting without end is read flat', () => {
  assert.ok(JSON.stringify(parse(`${'> '.repeat(500)}deep`)).includes('deep'));
  assert.ok(JSON.stringify(parse(`${'*a **b '.repeat(300)}${'** *'.repeat(300)}`)).length > 0);
});
