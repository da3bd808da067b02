import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Inline, parse } from '../../../src/format/index.ts';
import { CARD_MAX_BYTES } from '../limits.ts';
import { cardOf, summaryOf } from './card.ts';
import { contentOf } from './content.ts';
import { renderCardMarkdown } from './render-card.ts';
import { renderPost } from './render-post.ts';
import { splitDocument } from './split.ts';

const target = { chat: 'oc_1', chatKind: 'group' as const };
const card = (markdown: string): string => renderCardMarkdown(parse(markdown));
/** What a reader of the card sees of characters that are written as entities. */
const decoded = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

test('Markdown in a card', () => {
  const table: [string, string][] = [
    ['# Title\n\ntext', '# Title\n\ntext'],
    ['**bold** _it_ ~~no~~ `a*b`', '**bold** *it* ~~no~~ `a*b`'],
    ['- a\n  - b\n- c', '- a\n    - b\n- c'],
    ['3. x\n4. y', '3. x\n4. y'],
    ['- [x] done\n- [ ] open', '- ☑ done\n- ☐ open'],
    ['> quoted\n> more', '> quoted\n> more'],
    ['```py\nprint("<at>")\n```', '```py\nprint("<at>")\n```'],
    ['````\n```\n````', '````\n```\n````'],
    ['| a | b |\n|---|--:|\n| 1 | x\\|y |', '| a | b |\n| --- | --: |\n| 1 | x&#124;y |'],
    ['---', '---'],
    ['[label](https://x.example/a)', '[label](https://x.example/a)'],
    ['[label](javascript:alert)', 'label'],
    ['![pic](https://x.example/p.png)', '[pic](https://x.example/p.png)'],
    ['my_func and \\*star\\*', 'my&#95;func and &#42;star&#42;'],
    ['他说**“好”**了', '他说\u200a**“好”**\u200a了'],
    ['**one** and a longer tail, **two**.', '**one** and a longer tail, **two**.'],
    ['a**b**c ~~d~~ e', 'a**b**c ~~d~~ e'],
    ['1\\. no list', '1&#46; no list'],
    ['\\# no heading', '&#35; no heading'],
  ];
  for (const [markdown, expected] of table) assert.equal(card(markdown), expected, markdown);
});

test('nothing that a model says can call somebody or pose as a tag', () => {
  const text = card('hello <at id=all></at> <font color=red>x</font> and :SMILE: &lt;at&gt;');
  assert.doesNotMatch(text, /<|>|:SMILE:/);
  assert.equal(decoded(text), 'hello <at id=all></at> <font color=red>x</font> and :SMILE: <at>');
  const code = card('`<at id=all></at>`\n\n```\n<AT\nid=all></AT>\n```');
  assert.doesNotMatch(code, /<at\s/i);
  const sent = contentOf({ markdown: 'hi <at user_id="all">all</at>' }, target, {});
  assert.doesNotMatch(sent.content, /<at/);
});

test('people are mentioned in the form of each kind of message, everybody never', () => {
  assert.equal(
    card('Hi [@Ann](mention:ou_1), see *[@Bo](mention:u%2d2)*'),
    'Hi <at id=ou_1></at>, see *<at id=u-2></at>*',
  );
  const { msg_type: type, content } = contentOf({ markdown: 'Hi [@Ann](mention:ou_1)!' }, target, {});
  assert.equal(type, 'post');
  assert.deepEqual(JSON.parse(content).zh_cn.content, [
    [
      { tag: 'text', text: 'Hi ' },
      { tag: 'at', user_id: 'ou_1' },
      { tag: 'text', text: '!' },
    ],
  ]);
  for (const id of ['all', 'ALL', '_all', '@_all', 'here', 'x%3E%3C%2Fat%3E', 'ou_1%22', '%E0%A4%A']) {
    const markdown = `Hi [@all](mention:${id}) and [](mention:${id})`;
    assert.doesNotMatch(card(markdown), /<|>/, id);
    assert.doesNotMatch(contentOf({ markdown }, target, {}).content, /"at"|<at/, id);
  }
  const plainly = contentOf({ markdown: 'Hi [@Ann](mention:ou_1)' }, target, { plain: true });
  assert.deepEqual(JSON.parse(plainly.content), { text: 'Hi @Ann' });
});

test('the simplest message that shows a document whole is taken', () => {
  const table: [string, string][] = [
    ['Hello\nthere', 'text'],
    ['Hello **Ann**, see [this](https://x.example)', 'post'],
    ['Look:\n\n```js\nx\n```', 'post'],
    ['not \\*\\*bold\\*\\*', 'post'],
    ['Use `npm`', 'interactive'],
    ['# Title', 'interactive'],
    ['| a |\n|---|\n| b |', 'interactive'],
    ['- a\n- b', 'interactive'],
  ];
  for (const [markdown, type] of table) assert.equal(contentOf({ markdown }, target, {}).msg_type, type, markdown);
  assert.equal(contentOf({ markdown: 'a', buttons: [{ label: 'b', value: 'c' }] }, target, {}).msg_type, 'interactive');
  assert.equal(contentOf({ markdown: 'a' }, target, { draft: true }).msg_type, 'interactive');
  const plainForm = contentOf({ markdown: '# A **b**', buttons: [{ label: 'Yes', value: 'y' }] }, target, {
    plain: true,
  });
  assert.deepEqual([plainForm.msg_type, JSON.parse(plainForm.content)], ['text', { text: 'A b\n▸ Yes' }]);
});

test('a rich text keeps bold, links and code', () => {
  const { content } = contentOf(
    { markdown: 'Hi **Ann _b_**\n\n```go\nx\ny\n```\n[a](https://x.example) [b](ftp://y)' },
    target,
    {},
  );
  assert.deepEqual(JSON.parse(content).zh_cn.content, [
    [
      { tag: 'text', text: 'Hi ' },
      { tag: 'text', text: 'Ann ', style: ['bold'] },
      { tag: 'text', text: 'b', style: ['bold', 'italic'] },
    ],
    [{ tag: 'code_block', language: 'GO', text: 'x\ny' }],
    [{ tag: 'text', text: '' }],
    [
      { tag: 'a', href: 'https://x.example', text: 'a' },
      { tag: 'text', text: ' ' },
      { tag: 'text', text: 'b' },
    ],
  ]);
});

test('bold words in a heading are bold once', () => {
  assert.deepEqual(renderPost(parse('# A **b**')), [
    [
      { tag: 'text', text: 'A ', style: ['bold'] },
      { tag: 'text', text: 'b', style: ['bold'] },
    ],
  ]);
});

test('an answer is cut where a card is full, of text and of tables, and nothing of it is lost', () => {
  const long = `# T\n\n${'一段中文 with **bold** and `code` 👍🏽. '.repeat(1_500)}\n\n\`\`\`py\n${'print(1)\n'.repeat(2_000)}\`\`\``;
  const tables = Array.from({ length: 12 }, (_, i) => `| t${i} |\n|---|\n| x |`).join('\n\n');
  for (const markdown of [long, tables, `${long}\n\n${tables}`]) {
    const parts = splitDocument({ markdown, buttons: [{ label: 'Yes', value: 'x'.repeat(500) }] });
    assert.ok(parts.length > 1);
    for (const part of parts) {
      const made = cardOf(parse(part.markdown), { target, buttons: part.buttons, plain: false, streaming: false });
      assert.ok(Buffer.byteLength(JSON.stringify(JSON.stringify(made))) <= CARD_MAX_BYTES + 1_024);
      assert.ok((part.markdown.match(/^\| ?-+/gm) ?? []).length <= 5);
    }
    assert.deepEqual(
      parts.map(({ buttons }) => buttons !== undefined),
      parts.map((_, i) => i === parts.length - 1),
    );
  }
  assert.deepEqual(splitDocument({ markdown: 'short' }), [{ markdown: 'short' }]);
});

test('a summary is one line of whole characters', () => {
  assert.equal(summaryOf(parse('# A\n\nb **c**')), 'A b c');
  assert.equal(summaryOf(parse('👨‍👩‍👧'.repeat(100))), `${'👨‍👩‍👧'.repeat(60)}…`);
});

test('whatever is written, rendering throws nothing and keeps the words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const document = { markdown: text };
      for (const options of [{}, { plain: true }, { draft: true }])
        JSON.parse(contentOf(document, target, options).content);
      card(text);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab *_~`[]<>&:#-+.!|\\1') }), (text) => {
      const words = parse(`x ${text.replace(/\\/g, '')} y`);
      const shown = parse(renderCardMarkdown(words));
      const bare = (summary: string): string => summary.replace(/\s/g, '');
      assert.equal(bare(summaryOf(shown)), bare(summaryOf(words)));
    }),
  );
});

test('marks count wherever they stand: beside letters, signs, emoji and each other', () => {
  const text = fc.constantFrom('a', '词', '“好”', '(x)', '谢谢 ', ' b', '!', '👍🏽', '1.').map((value) => ({
    type: 'text' as const,
    value,
  }));
  const marked = fc.record({
    type: fc.constantFrom('strong' as const, 'emphasis' as const, 'delete' as const),
    children: fc.array(text, { minLength: 1, maxLength: 3 }),
  });
  const looks = (nodes: readonly Inline[], mark = ''): string[] =>
    nodes.flatMap((node) =>
      'children' in node
        ? looks(node.children, node.type)
        : node.type === 'text'
          ? [...node.value.replace(/\s/g, '')].map((character) => character + mark)
          : [],
    );
  fc.assert(
    fc.property(fc.array(fc.oneof(text, marked), { minLength: 1, maxLength: 6 }), (children) => {
      const read = parse(renderCardMarkdown({ type: 'root', children: [{ type: 'paragraph', children }] }));
      const shown = read.children.flatMap((block) => (block.type === 'paragraph' ? looks(block.children) : []));
      assert.deepEqual(shown, looks(children));
    }),
  );
});
