import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Dialect, readMarkdown } from './markdown.ts';
import { Reading } from './reading.ts';

function read(markdown: string, dialect?: Dialect): { text: string; looks: string[] } {
  const out = new Reading();
  readMarkdown(markdown, out, dialect);
  const { text, looks } = out;
  return { text, looks: looks.map(({ kind, offset, length }) => `${kind}: ${text.slice(offset, offset + length)}`) };
}

test('Markdown is read as apps show it', () => {
  const table: [markdown: string, text: string, looks: string[]][] = [
    ['Hi **Ann _Lee_**, `x`', 'Hi Ann Lee, x', ['bold: Ann Lee', 'italic: Lee', 'code: x']],
    ['# A\ntext\n\n\nmore', 'A\ntext\n\nmore', ['heading: A']],
    ['> a\n> b\n\nc', 'a\nb\n\nc', ['quote: a\nb']],
    ['- a\n- b\n  1. c\n     d\n- [x] e', '• a\n• b\n   1. c\n      d\n☑ e', []],
    ['```js\nlet x;\n\nlet y;\n```\nend', 'let x;\n\nlet y;\nend', ['block: let x;\n\nlet y;']],
    ['|a|b|\n|-|-|\n|1|**2**|', 'a | b\n1 | 2', ['block: a | b\n1 | 2']],
    ['[a](https://x.y) ~~z~~', 'a z', ['link: a', 'strike: z']],
    ['5 \\* 4 &lt; 21', '5 * 4 < 21', []],
    ['<b>x</b> 谢谢', '<b>x</b> 谢谢', []],
  ];
  for (const [markdown, text, looks] of table) assert.deepEqual(read(markdown), { text, looks }, markdown);
});

test('a platform may know less and more', () => {
  const dialect: Dialect = {
    literal: true,
    words: (words, out) => out.add(words.toUpperCase()),
    html: (_, out) => out.look('mention', () => out.add('@Ann')),
  };
  assert.deepEqual(read('a \\* &lt; <at id=1>', dialect), { text: 'A \\* &LT; @Ann', looks: ['mention: @Ann'] });
});
