import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from '../../../src/format/index.ts';
import { render } from './render.ts';
import { textOf } from './text.ts';

const shown = (markdown: string, style: 'plain' | 'ilink' = 'plain'): string => render(parse(markdown), style);

test('Markdown reads as text that a person might have typed', () => {
  const table: [markdown: string, text: string][] = [
    ['谢谢 **好的** _x_ ~~y~~ `z`', '谢谢 好的 x y z'],
    ['# One\n\n## Two\n\n### Three', '【One】\n\n【Two】\n\nThree'],
    ['a  \nb', 'a\nb'],
    ['> a\n> b\n>\n> c', '▍ a\n▍ b\n▍\n▍ c'],
    ['> a\n> > b', '▍ a\n▍\n▍ ▍ b'],
    ['- a\n- b\n  - c\n    - d', '• a\n• b\n  ◦ c\n    ▪ d'],
    ['3. a\n4. b\n\n   more', '3. a\n4. b\n\n   more'],
    ['- [x] done\n- [ ] open', '☑ done\n☐ open'],
    ['```js\na < b\n```', 'a < b'],
    ['---', '———'],
    ['[a](https://x.y/?a=1&b=2)', 'a (https://x.y/?a=1&b=2)'],
    ['<https://x.y/z> and [x.y](https://x.y)', 'https://x.y/z and x.y'],
    ['[mail](mailto:a@b.c) <a@b.c>', 'mail (a@b.c) a@b.c'],
    ['![cat](https://x.y/c.png) ![](https://x.y/d.png)', 'cat (https://x.y/c.png) https://x.y/d.png'],
    ['[a](/etc/passwd) [b](javascript:alert(1)) [@Ann](mention:u1)', 'a b @Ann'],
    ['![plot](/workspace/plot.png)', 'plot'],
    ['|a|b|\n|-|-|\n|1|2|', 'a | b\n--+--\n1 | 2'],
    ['<b>x</b> 5 < 6', '<b>x</b> 5 < 6'],
    ['', ''],
  ];
  for (const [markdown, text] of table) assert.equal(shown(markdown), text, markdown);
});

test('a wide table is told row by row, without empty cells', () => {
  const markdown =
    '| Name | Price | Note |\n|---|---|---|\n| Pears from the garden | 5 € a kilo | |\n| Figs | 7 € | sweet |';
  assert.equal(
    shown(markdown),
    'Name: Pears from the garden\nPrice: 5 € a kilo\n\nName: Figs\nPrice: 7 €\nNote: sweet',
  );
});

test('where the apps read Markdown, code stays code and what looks like a tag stays to be seen', () => {
  const table: [markdown: string, text: string][] = [
    ['```js\na < b\n```', '```js\na < b\n```'],
    ['```\n<div>\n```', '```\n<div>\n```'],
    ['````\n```\ninner\n```\n````', '````\n```\ninner\n```\n````'],
    ['Use `<div>` or `a*b*c`, and `plain`.', 'Use `<div>` or `a*b*c`, and plain.'],
    ['a <b>x</b> < 5 <3', 'a ＜b>x＜/b> < 5 <3'],
    ['`` a`<b> ``', '``a`<b>``'],
    ['- ```\n  x\n  ```', '• ```\n  x\n  ```'],
    ['<div>[a](javascript:b) [c](https://x.y)</div>', '＜div>[a]\u2060(javascript:b) [c](https://x.y)＜/div>'],
    ['`[a](file:///b)`', '`[a](file:///b)`'],
  ];
  for (const [markdown, text] of table) assert.equal(shown(markdown, 'ilink'), text, markdown);
});

test('buttons are numbered below the text, and nothing at all is still something', () => {
  const buttons = [
    { label: 'Yes', value: 'y' },
    { label: 'No', value: 'n' },
  ];
  assert.equal(textOf({ markdown: '**Go?**', buttons }, 'plain'), 'Go?\n\n1. Yes\n2. No');
  assert.equal(textOf({ markdown: '', buttons }, 'plain'), '1. Yes\n2. No');
  assert.equal(textOf({ markdown: '', buttons: [{ label: '<b>', value: '' }] }, 'ilink'), '1. ＜b>');
  assert.equal(textOf({ markdown: ' \n ' }, 'ilink'), '…');
  assert.equal(textOf({ markdown: 'a \ud800 b' }, 'ilink'), 'a \ufffd b');
});

test('no word of any text is lost', () => {
  const word = fc.stringMatching(/^[A-Z]{3,8}$/);
  const piece = fc.oneof(
    word,
    word.map((text) => `**${text}**`),
    word.map((text) => `# ${text}\n\n`),
    word.map((text) => `- ${text}\n`),
    word.map((text) => `> ${text}\n\n`),
    word.map((text) => `\n\n\`\`\`\n${text}\n\`\`\`\n\n`),
    word.map((text) => `[${text}](https://x.y)`),
    word.map((text) => `\n\n|${text}|b|\n|-|-|\n|1|2|\n\n`),
    fc.constantFrom('\n\n', '\n', ' ', '`', '*', '<', '1. '),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }),
      fc.constantFrom('plain' as const, 'ilink' as const),
      (all, style) => {
        const markdown = all.join(' ');
        const text = shown(markdown, style);
        for (const [found] of markdown.matchAll(/[A-Z]{3,8}/g)) assert.ok(text.includes(found), `${found} in ${text}`);
      },
    ),
    { numRuns: 300 },
  );
});
