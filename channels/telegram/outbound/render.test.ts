import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from '../../../src/format/index.ts';
import { answers, soup } from '../../../src/format/testing/markdown.ts';
import { TEXT_MAX_UTF16 } from '../limits.ts';
import { render, renderPlain } from './render.ts';
import { splitDocument } from './split.ts';

/** The text with its entities in place, e.g. `<bold>x</bold>`; what is around decides nothing. */
function shown(markdown: string): string {
  const { text, entities } = render(parse(markdown));
  const marks = entities.flatMap(({ type, offset, length, url, language }, order) => [
    { at: offset, order, mark: `<${[type, url, language].filter((part) => part !== undefined).join(' ')}>` },
    { at: offset + length, order: -order - 1, mark: `</${type}>` },
  ]);
  marks.sort((a, b) => a.at - b.at || (a.order < 0 ? 0 : 1) - (b.order < 0 ? 0 : 1) || a.order - b.order);
  let result = '';
  let from = 0;
  for (const { at, mark } of marks) {
    result += text.slice(from, at) + mark;
    from = at;
  }
  return result + text.slice(from);
}

test('Markdown becomes text with entities', () => {
  const table: [string, string][] = [
    ['plain < & > *text*', 'plain < & > <italic>text</italic>'],
    ['**a _b_ ~~c~~**', '<bold>a <italic>b</italic> <strikethrough>c</strikethrough></bold>'],
    ['# Head `x`\n\ntext', '<bold>Head </bold><code>x</code>\n\ntext'],
    ['**run `npm i` now**', '<bold>run </bold><code>npm i</code><bold> now</bold>'],
    ['[docs](https://h/a_b_c)', '<text_link https://h/a_b_c>docs</text_link>'],
    ['[`code`](http://h)', '<text_link http://h>code</text_link>'],
    ['https://h/a_b and https://h/c_d', 'https://h/a_b and https://h/c_d'],
    [
      '[x](javascript:alert(1)) [y](tg://user?id=1) [z](mailto:a@b.de)',
      'x <text_link tg://user?id=1>y</text_link> <text_link mailto:a@b.de>z</text_link>',
    ],
    ['[f](./local.md) [](http://empty)', 'f http://empty'],
    ['![a cat](https://h/cat.png)', '<text_link https://h/cat.png>a cat</text_link>'],
    ['```objective-c\n  a < b\n```', '<pre objective-c>  a < b</pre>'],
    ['```"x y"\na\n```', '<pre>a</pre>'],
    ['- a\n  - b\n    - c\n- d', '• a\n   ◦ b\n      ▪ c\n• d'],
    ['1. a\n\n   more\n2. b', '1. a\n\n   more\n2. b'],
    ['- x:\n  ```sh\n  ls\n  ```', '• x:\n<pre sh>ls</pre>'],
    ['- [x] a\n- [ ] b', '☑ a\n☐ b'],
    ['> a\n> > b\n>\n> **c**', '<blockquote>a\n\nb\n\n<bold>c</bold></blockquote>'],
    ['a\n\n***\n\nb', 'a\n\n———\n\nb'],
    ['| n | 名字 |\n|--:|---|\n| 1 | **谢谢** |', '<pre>n | 名字\n--+-----\n1 | 谢谢</pre>'],
    [
      `| n | what |\n|---|---|\n| 1 | ${'long '.repeat(12)}[x](http://x) |\n| 2 | **short** |`,
      `<bold>n</bold>: 1\n<bold>what</bold>: ${'long '.repeat(12)}<text_link http://x>x</text_link>\n\n<bold>n</bold>: 2\n<bold>what</bold>: <bold>short</bold>`,
    ],
    ['my_func_name __init__', 'my_func_name <bold>init</bold>'],
    ['a<br>b', 'a\nb'],
    ['👨‍👩‍👧 **𠮷**', '👨‍👩‍👧 <bold>𠮷</bold>'],
    ['x\ud83dy', 'x\ufffdy'],
  ];
  for (const [markdown, expected] of table) assert.equal(shown(markdown), expected, markdown);
});

test('people are mentioned by their number or their username; nobody else is, and never everybody', () => {
  const mention = (id: string, label = 'Ann') => render(parse(`[${label}](mention:${encodeURIComponent(id)}), look`));
  assert.deepEqual(mention('5000000001'), {
    text: 'Ann, look',
    entities: [{ type: 'text_mention', user: { id: 5_000_000_001 }, offset: 0, length: 3 }],
  });
  assert.deepEqual(
    mention('7', '**Ann** `x`').entities.map(({ type, length }) => [type, length]),
    [
      ['text_mention', 5],
      ['bold', 3],
    ],
  );
  const table: [string, string, string][] = [
    ['@bob_lee', 'Bob', '@bob_lee, look'],
    ['-1001234567890123', 'Team', 'Team, look'],
    ['@b', 'Bob', 'Bob, look'],
    ['all', 'everybody', 'everybody, look'],
    ['7 or 1=1', 'Ann', 'Ann, look'],
    ['99999999999999999999', 'Ann', 'Ann, look'],
  ];
  for (const [id, label, text] of table) assert.deepEqual(mention(id, label), { text, entities: [] }, id);
  assert.deepEqual(render(parse('@all @everyone @channel')), { text: '@all @everyone @channel', entities: [] });
  assert.equal(renderPlain(parse('[Ann](mention:7), look')).text, 'Ann, look');
});

test('entities lie within the text, are never empty, cut no character and nothing but styles overlaps', () => {
  fc.assert(
    fc.property(fc.oneof(answers, soup), (markdown) => {
      const { text, entities } = render(parse(markdown));
      assert.ok(text.isWellFormed());
      const code = entities.filter(({ type }) => type === 'code' || type === 'pre');
      for (const entity of entities) {
        const { offset, length, type } = entity;
        assert.ok(length > 0 && offset >= 0 && offset + length <= text.length);
        assert.ok(text.slice(offset, offset + length).isWellFormed());
        if (type === 'blockquote') continue;
        for (const other of code)
          assert.ok(other === entity || other.offset + other.length <= offset || other.offset >= offset + length);
      }
    }),
    { numRuns: 100 },
  );
});

test('every part of a long answer fits, formatted or plain, with its formatting in full', () => {
  const styled = '`a` '.repeat(500);
  const links = '[link](https://example.com/some/long/path) '.repeat(200);
  const parts = splitDocument({ markdown: [styled, links, '𠮷'.repeat(5_000)].join('\n\n') });
  for (const { markdown } of parts) {
    const { text, entities } = render(parse(markdown));
    assert.ok(text.length <= TEXT_MAX_UTF16 && entities.length <= 100);
    assert.ok(renderPlain(parse(markdown)).text.length <= TEXT_MAX_UTF16);
  }
  assert.equal(splitDocument({ markdown: 'x'.repeat(TEXT_MAX_UTF16) }).length, 1);
  assert.equal(splitDocument({ markdown: 'x'.repeat(TEXT_MAX_UTF16 + 1) }).length, 2);
  assert.equal(splitDocument({ markdown: '𠮷'.repeat(TEXT_MAX_UTF16 / 2) }).length, 1);
});
