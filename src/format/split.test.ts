import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Block, Doc, Inline, ListItem, TableCell, TableRow } from './nodes.ts';
import { parse } from './parse.ts';
import { plain } from './plain.ts';
import { split } from './split.ts';
import { answers, soup } from './testing/markdown.ts';

const size = (document: Doc): number => plain(document).length;
const cut = (markdown: string, limit: number): string[] => split(markdown, { limit, size });
/** What is seen of a text but for white space, which a cut may replace, and marks of lists and quotes. */
const visible = (markdown: string): string => seen(parse(markdown)).replace(/\s+/g, '');

function seen(node: Doc | Block | Inline | ListItem | TableRow | TableCell): string {
  if ('children' in node) return node.children.map(seen).join('');
  return 'value' in node ? node.value : 'alt' in node ? node.alt : '';
}

test('cutting loses nothing, adds nothing, and every part fits', () => {
  fc.assert(
    fc.property(answers, fc.integer({ min: 60, max: 800 }), (markdown, limit) => {
      const parts = cut(markdown, limit);
      for (const part of parts) assert.ok(size(parse(part)) <= limit, `${size(parse(part))} > ${limit}: ${part}`);
      assert.equal(parts.map(visible).join(''), visible(markdown));
    }),
    { numRuns: 60 },
  );
});

test('any text at all is cut into parts that fit', () => {
  fc.assert(
    fc.property(soup, fc.integer({ min: 20, max: 60 }), (markdown, limit) => {
      const parts = cut(markdown, limit);
      assert.ok(parts.length > 0);
      for (const part of parts) assert.ok(size(parse(part)) <= limit);
    }),
    { numRuns: 300 },
  );
});

test('a fence is closed and opened again with its language', () => {
  const code = Array.from({ length: 60 }, (_, n) => `line ${n}`).join('\n');
  const parts = cut(`Here:\n\n~~~objective-c\n${code}\n~~~\n\nDone.`, 150);
  for (const part of parts.slice(0, -1)) assert.match(part, /```objective-c\n(line \d+\n)+```$/);
  assert.ok(parts.at(-1)?.endsWith('Done.'));
});

test('a fence within a longer fence stays code', () => {
  const parts = cut(`\`\`\`\`md\n${'```js\nx\n```\n'.repeat(20)}\`\`\`\``, 60);
  assert.ok(parts.length > 2);
  for (const part of parts)
    assert.deepEqual(
      parse(part).children.map(({ type }) => type),
      ['code'],
    );
});

test('a table is continued under its header', () => {
  const rows = Array.from({ length: 30 }, (_, n) => `| ${n} | row ${n} |`).join('\n');
  const parts = cut(`| n | text |\n|---|---|\n${rows}`, 120);
  assert.ok(parts.length > 2);
  for (const part of parts) assert.match(part, /^\| n \| text \|\n\| - \| - \|\n\| \d+ \| row \d+ \|/);
  const cells = parts.flatMap((part) => [...part.matchAll(/row (\d+)/g)].map(([, n]) => Number(n)));
  assert.deepEqual(
    cells,
    Array.from({ length: 30 }, (_, n) => n),
  );
});

test('a table row that no message can hold is told cell by cell', () => {
  const parts = cut(`| head | b |\n|---|---|\n| ${'word '.repeat(80)} | x |\n| small | y |`, 100);
  for (const part of parts) assert.ok(size(parse(part)) <= 100);
  assert.equal(parts.join(' ').match(/word/g)?.length, 80);
});

test('numbers go on in the next part, and an item cut inside gets no second bullet', () => {
  const items = Array.from({ length: 20 }, (_, n) => `${n + 1}. item number ${n + 1}`).join('\n');
  const numbered = cut(items, 100).flatMap((part) => [...part.matchAll(/^(\d+)\. item number (\d+)$/gm)]);
  assert.deepEqual(
    numbered.map(([, mark]) => mark),
    numbered.map(([, , name]) => name),
  );
  assert.equal(numbered.length, 20);
  const parts = cut(`- ${'some words. '.repeat(40)}\n- second`, 100);
  assert.equal(parts.join('\n').match(/^- /gm)?.length, 2);
});

test('styles and links go on across a cut', () => {
  const parts = cut(`**${'bold words '.repeat(30).trim()}**`, 100);
  for (const part of parts) assert.match(part, /^\*\*[^*]+\*\*$/);
});

test('a cut prefers the end of a sentence, then a word, and never breaks a character', () => {
  const [first] = cut(`${'Short one. '.repeat(8)}And then a long one that goes on and on and on and on.`, 100);
  assert.ok(first?.endsWith('one.'));
  assert.ok(cut('word '.repeat(100), 99).every((part) => part.endsWith('word')));
  for (const [character, limit] of [
    ['👨‍👩‍👧‍👦', 30],
    ['👍🏽', 21],
    ['𠮷', 21],
  ] as const) {
    const parts = cut(character.repeat(40), limit);
    assert.ok(
      parts.every((part) => part.length % character.length === 0 && part.isWellFormed()),
      character,
    );
  }
  assert.deepEqual(
    cut('x'.repeat(25), 10).map(({ length }) => length),
    [10, 10, 5],
  );
});

test('a heading goes with what it heads, a code block is not begun at the end of a full message', () => {
  const code = `\`\`\`js\n${'line\n'.repeat(10)}\`\`\``;
  const parts = cut(`${'word '.repeat(16)}\n\n## Code\n\n${code}`, 100);
  assert.equal(parts[1], `## Code\n\n${code}`);
});

test('the first parts of a growing text stay as they are', () => {
  const text = Array.from(
    { length: 40 },
    (_, n) => `Paragraph ${n} has a sentence. And another one.\n\n- item ${n}\n`,
  ).join('\n');
  const whole = cut(text, 300);
  for (let length = 700; length < text.length; length += 97) {
    const parts = cut(text.slice(0, length), 300);
    for (const [index, part] of parts.slice(0, -2).entries()) assert.equal(part, whole[index]);
  }
});

test('what fits comes back untouched; nothing comes back as one empty part', () => {
  assert.deepEqual(cut('* a\n* b\n\n\n__c__', 100), ['* a\n* b\n\n\n__c__']);
  assert.deepEqual(cut('', 100), ['']);
});

test('very long lines are cut in reasonable time', () => {
  const begin = performance.now();
  assert.ok(split('谢'.repeat(200_000), { limit: 4096, size }).length >= 49);
  assert.ok(split(`\`\`\`\n${'x'.repeat(200_000)}\n\`\`\``, { limit: 4096, size }).length >= 49);
  assert.ok(performance.now() - begin < 20_000);
});
