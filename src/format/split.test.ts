import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Block, Doc, Inline, ListItem, TableCell, TableRow } from './nodes.ts';
import { parse } from './parse.ts';
import { plain } from './plain.ts';
import { split } from './split.ts';

const size = (document: Doc): number => plain(document).length;
const cut = (markdown: string, limit: number): string[] => split(markdown, { limit, size });
/** What is seen of a text but for white space, which a cut may replace, and marks of lists and quotes. */
const visible = (markdown: string): string => seen(parse(markdown)).replace(/\s+/g, '');

function seen(node: Doc | Block | Inline | ListItem | TableRow | TableCell): string {
  if ('children' in node) return node.children.map(seen).join('');
  return 'value' in node ? node.value : 'alt' in node ? node.alt : '';
}

const word = fc.constantFrom(
  ...[
    'alpha',
    'snake_case',
    '2*3*4',
    '__init__',
    '谢谢',
    '**重点：**内容',
    '👨‍👩‍👧‍👦',
    '👍🏽',
    '𠮷',
    'https://h/a_b?c=d_e',
    'a@b.de',
  ],
  ...[
    '<b>',
    '&amp;',
    '\\*',
    '[x]',
    '1.',
    '-',
    '#',
    '`code`',
    '**bold**',
    '_it_',
    '~~no~~',
    '[l](http://x.y/z_)',
    '|',
    '~5',
    '!',
    '$x$',
  ],
);
const sentence = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '));
const prose = fc.array(sentence, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('. '));
const codeLine = fc.string({
  maxLength: 60,
  unit: fc.constantFrom('a', ' ', '`', '~', '{', '谢', '👍🏽', '\t', '|', '*'),
});
const fence = fc
  .tuple(fc.constantFrom('', 'py', 'objective-c', 'c++'), fc.array(codeLine, { maxLength: 20 }))
  .map(
    ([lang, lines]) => `\`\`\`\`\`${lang}\n${lines.map((line) => line.replaceAll('`````', '')).join('\n')}\n\`\`\`\`\``,
  );
const bullets = fc
  .array(prose, { minLength: 1, maxLength: 8 })
  .map((items) => items.map((item) => `- ${item}`).join('\n'));
const numbers = fc
  .array(prose, { minLength: 1, maxLength: 8 })
  .map((items) => items.map((item, n) => `${n + 3}. ${item}`).join('\n'));
const nested = fc.tuple(sentence, bullets).map(([top, inner]) => `- ${top}\n${inner.replace(/^/gm, '  ')}`);
const quote = fc.tuple(prose, fence).map((blocks) => blocks.join('\n\n').replace(/^/gm, '> '));
const heading = sentence.map((title) => `## ${title}`);
const block = fc.oneof(prose, fence, bullets, numbers, nested, quote, heading, fc.constant('---'));
const answer = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join('\n\n'));

test('cutting loses nothing, adds nothing, and every part fits', () => {
  fc.assert(
    fc.property(answer, fc.integer({ min: 60, max: 800 }), (markdown, limit) => {
      const parts = cut(markdown, limit);
      for (const part of parts) assert.ok(size(parse(part)) <= limit, `${size(parse(part))} > ${limit}: ${part}`);
      assert.equal(parts.map(visible).join(''), visible(markdown));
    }),
    { numRuns: 60 },
  );
});

test('any text at all is cut into parts that fit', () => {
  const soup = fc.string({
    maxLength: 300,
    unit: fc.constantFrom(...'ab *_`~[]()<>#|-+>!\n\t\\&;:1.谢👍🏽'.split(''), '\ud83d', '\r\n', '\u0000'),
  });
  fc.assert(
    fc.property(soup, fc.integer({ min: 20, max: 60 }), (markdown, limit) => {
      const parts = cut(markdown, limit);
      assert.ok(parts.length > 0);
      for (const part of parts) assert.ok(size(parse(part)) <= limit);
    }),
    { numRuns: 300 },
  );
});
