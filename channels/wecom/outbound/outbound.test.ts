import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BLANK, parse } from '../../../src/format/index.ts';
import { mentionUrl } from '../../../src/format/mentions.ts';
import { APP_TEXT_MAX_BYTES, BOT_TEXT_MAX_BYTES } from '../limits.ts';
import { CARD_TITLE, canBeCard, cardWithText, pressedCard } from './card.ts';
import { mediaKind } from './media.ts';
import { type Dialect, render } from './render.ts';
import { splitForApp, splitForBot } from './split.ts';
import { textOf, textWithChoices } from './text.ts';

const shown = (markdown: string, dialect: Dialect = 'bot'): string => render(parse(markdown), dialect);

test('what AI bots say is Markdown as page 101138 has it', () => {
  const cases: [string, string][] = [
    ['# Head\n\n###### Small', '# Head\n\n###### Small'],
    ['**bold** *it* ~~gone~~ `code`', '**bold** *it* ~~gone~~ `code`'],
    ['- a\n- b\n  - c\n    1. d', '- a\n- b\n  - c\n    1. d'],
    ['3. three\n4. four', '3. three\n4. four'],
    ['- [ ] open\n- [x] done', '- ☐ open\n- ☑ done'],
    ['> one\n> > two', '> one\n>\n> > two'],
    ['[words](https://example.com/a_b?c=d&e=f)', '[words](https://example.com/a_b?c=d&e=f)'],
    ['<https://example.com>', 'https://example.com'],
    ['[a](https://example.com/x(y))', '[a](https://example.com/x%28y%29)'],
    ['[bad](javascript:alert(1))', 'bad'],
    ['![cat](https://example.com/cat.png)', '[cat](https://example.com/cat.png)'],
    ['```ts\nlet a = 1;\n```', '```ts\nlet a = 1;\n```'],
    ['````\n```\n````', '````\n```\n````'],
    ['``a`b``', '``a`b``'],
    ['a\n\n---\n\nb', 'a\n\n---\n\nb'],
    ['| a | b |\n|---|--:|\n| 1 | x\\|y |', '| a | b |\n| --- | --: |\n| 1 | x｜y |'],
    ['2 * 3 and a_b', '2 * 3 and a_b'],
  ];
  for (const [markdown, expected] of cases) assert.equal(shown(markdown), expected, markdown);
});

test('what apps say keeps to the few forms that page 90236 has', () => {
  const cases: [string, string][] = [
    ['# Head', '# Head'],
    ['**bold** *it* ~~gone~~ `code`', '**bold** it gone `code`'],
    ['- a\n  - b\n- [x] c', '• a\n  ◦ b\n☑ c'],
    ['```\nx = 1\n```', 'x = 1'],
    ['---', '———'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a | b\n--+--\n1 | 2'],
  ];
  for (const [markdown, expected] of cases) assert.equal(shown(markdown, 'app'), expected, markdown);
  const wide = `| Name | Text |\n|---|---|\n| one | ${'x'.repeat(40)} |\n| two | |`;
  assert.equal(shown(wide, 'app'), `Name: one\nText: ${'x'.repeat(40)}\n\nName: two`);
});

test('nobody is called by an answer, not even everybody and not even in code', () => {
  for (const dialect of ['bot', 'app'] as const) {
    const text = shown('<@all> `<@all>` <@zhangsan>\n\n```\n<@all>\n```', dialect);
    assert.ok(!text.includes('<@'), text);
    assert.equal(text.match(/@all/g)?.length, 3);
  }
  assert.equal(shown(`[@Ann](${mentionUrl('zhangsan')}) please`), '@Ann please');
});

test('what stands in raw HTML, or for itself, is no link to a script or a file', () => {
  const joined = (text: string): string => text.replace('](', ']\u2060(');
  for (const dialect of ['bot', 'app'] as const) {
    for (const literal of ['[click](javascript:alert(1))', '[click](file:///etc/passwd)', '[a]( javascript:b)']) {
      assert.equal(shown(`<div>${literal}</div>`, dialect), `＜div>${joined(literal)}＜/div>`);
      assert.equal(shown(literal.replaceAll(/[[\]]/g, '\\$&'), dialect), joined(literal));
    }
    assert.equal(shown('<p>[docs](https://example.com)</p>', dialect), '＜p>[docs](https://example.com)＜/p>');
  }
  assert.equal(shown('```\n[a](javascript:b) <i>\n```', 'app'), '[a]\u2060(javascript:b) ＜i>');
  assert.equal(shown('`[a](javascript:b)`'), '`[a](javascript:b)`');
});

test('without formatting, and on numbered buttons, nobody is called either and no tag or link is live', () => {
  const choice = { label: '<@all> [a](javascript:b)', value: 'x' };
  const text = textWithChoices({ markdown: '\\<@all> <a href="x">', buttons: [choice] }, 'plain');
  assert.equal(text, '<\u2060@all> ＜a href="x">\n\n1. <\u2060@all> [a]\u2060(javascript:b)');
});

test('what looks like a tag does not vanish', () => {
  assert.equal(
    shown('use <font color="info"> and <think> here, a < b'),
    'use ＜font color="info"> and ＜think> here, a < b',
  );
  assert.equal(shown('`<think>`'), '`<think>`');
});

test('a text of which nothing can be seen is a sign that there was one', () => {
  for (const markdown of ['', '   ', '[](mention:x)']) assert.notEqual(textOf({ markdown }, 'bot').trim(), '');
  assert.equal(textOf({ markdown: '' }, 'plain'), BLANK);
});

test('half a character does no harm', () => {
  assert.ok(textOf({ markdown: 'a\ud800b **\udc00**' }, 'bot').isWellFormed());
});

test('every part of any text fits, in bytes, both formatted and plain', () => {
  const pieces = fc.constantFrom(
    '谢谢你 ',
    'word ',
    '👨‍👩‍👧‍👦',
    '\n\n',
    '\n',
    '- ',
    '# ',
    '**',
    '`',
    '```\n',
    '| a | b |\n|---|---|\n| 1 | 2 |\n',
    '> ',
    '[x](https://e.com) ',
    '<b> ',
  );
  const text = fc.array(pieces, { maxLength: 200 }).map((some) => some.join('').repeat(3));
  fc.assert(
    fc.property(text, (markdown) => {
      for (const part of splitForApp({ markdown })) {
        assert.ok(Buffer.byteLength(textOf(part, 'app')) <= APP_TEXT_MAX_BYTES);
        assert.ok(Buffer.byteLength(textOf(part, 'plain')) <= APP_TEXT_MAX_BYTES);
      }
    }),
    { numRuns: 60 },
  );
});

test('the limit counts bytes, at one less, at it and at one more', () => {
  for (const [split, limit] of [
    [splitForBot, BOT_TEXT_MAX_BYTES],
    [splitForApp, APP_TEXT_MAX_BYTES],
  ] as const) {
    assert.equal(split({ markdown: 'x'.repeat(limit - 1) }).length, 1);
    assert.equal(split({ markdown: 'x'.repeat(limit) }).length, 1);
    assert.equal(split({ markdown: 'x'.repeat(limit + 1) }).length, 2);
    assert.equal(split({ markdown: '谢'.repeat(Math.floor(limit / 3)) }).length, 1);
    assert.equal(split({ markdown: '谢'.repeat(Math.floor(limit / 3) + 1) }).length, 2);
  }
});

const buttons = [
  { label: 'Yes', value: 'y' },
  { label: 'No', value: 'n' },
];

test('an app’s buttons stand on a card with their words, or on one of their own behind them', () => {
  assert.deepEqual(splitForApp({ markdown: 'Shall I?', buttons }), [{ markdown: 'Shall I?', buttons }]);
  const long = 'words '.repeat(30).trim();
  assert.deepEqual(splitForApp({ markdown: long, buttons }), [{ markdown: long }, { markdown: CARD_TITLE, buttons }]);
  const many = Array.from({ length: 7 }, (_, n) => ({ label: `C${n}`, value: `${n}` }));
  assert.deepEqual(splitForApp({ markdown: long, buttons: many }), [{ markdown: long, buttons: many }]);
  assert.equal(textWithChoices({ markdown: 'Which?', buttons }, 'plain'), 'Which?\n\n1. Yes\n2. No');
});

test('a card says short words as its title, longer ones below it, and none that would be cut', async () => {
  const state = { get: async () => null, set: async () => {} };
  const card = await cardWithText({ markdown: 'Shall **I**?', buttons }, 'k', state);
  assert.deepEqual([card?.main_title.title, card?.sub_title_text], ['Shall I?', undefined]);
  const longer = await cardWithText({ markdown: 'Shall I send this message now?', buttons }, 'k', state);
  assert.deepEqual([longer?.main_title.title, longer?.sub_title_text], [CARD_TITLE, 'Shall I send this message now?']);
  assert.equal(cardWithText({ markdown: 'x'.repeat(113), buttons }, 'k', state), undefined);
  assert.equal(card?.task_id, longer?.task_id);
  assert.match(card?.task_id ?? '', /^[\w@-]{1,128}$/);
  assert.equal(Reflect.get(pressedCard(card ?? assert.fail(), 'y'), 'replace_text'), '✔ Yes');
});

test('two buttons that mean the same cannot be on one card', () => {
  assert.ok(canBeCard({ markdown: '', buttons }));
  assert.ok(!canBeCard({ markdown: '', buttons: [...buttons, { label: 'Also', value: 'y' }] }));
  assert.ok(!canBeCard({ markdown: '' }));
});

test('a value too long for a button is kept and found again', async () => {
  const kept = new Map<string, string>();
  const state = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, value: string) => void kept.set(key, value),
  };
  const card = await cardWithText({ markdown: 'x', buttons: [{ label: 'L', value: '谢'.repeat(400) }] }, 'k', state);
  assert.ok(Buffer.byteLength(card?.button_list[0]?.key ?? '') <= 1_024);
  assert.equal(kept.size, 1);
});

test('a file goes out as what it is where WeCom takes that, else as a document', () => {
  const file = (kind: 'image' | 'video' | 'audio' | 'voice' | 'file' | 'sticker', name: string, bytes = 100) =>
    mediaKind({ id: 'f' as never, kind, name, mime: '', bytes, content: new Uint8Array() });
  const MB = 1024 * 1024;
  assert.equal(file('image', 'a.png'), 'image');
  assert.equal(file('image', 'a.JPEG', 10 * MB), 'image');
  assert.equal(file('image', 'a.png', 10 * MB + 1), 'file');
  assert.equal(file('image', 'a.webp'), 'file');
  assert.equal(file('video', 'a.mp4'), 'video');
  assert.equal(file('video', 'a.mov'), 'file');
  assert.equal(file('voice', 'a.amr'), 'voice');
  assert.equal(file('voice', 'a.ogg'), 'file');
  assert.equal(file('audio', 'a.mp3'), 'file');
  assert.throws(() => file('file', 'a.zip', 20 * MB + 1), { code: 'too_large' });
  assert.throws(() => file('file', 'a.txt', 4), { code: 'unsupported' });
});
