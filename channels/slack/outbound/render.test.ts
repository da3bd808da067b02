import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from '../../../src/format/index.ts';
import { bombs } from '../../../src/format/testing/bombs.ts';
import { answers, soup } from '../../../src/format/testing/markdown.ts';
import { MARKDOWN_MAX_CHARS, MESSAGE_MAX_CHARS, SECTION_MAX_CHARS, TEXT_MAX_CHARS } from '../limits.ts';
import { bodyOf } from './body.ts';
import { harmless, slackMarkdown } from './markdown.ts';
import { renderMrkdwn, renderPlain } from './render.ts';
import { splitDocument } from './split.ts';

const state = { get: async () => null, set: async () => {} };

test('Markdown becomes Slack’s own form', () => {
  const table: [string, string][] = [
    ['plain < & > text', 'plain &lt; &amp; &gt; text'],
    ['**a** _b_ ~~c~~ `d < e`', '*a* _b_ ~c~ `d &lt; e`'],
    ['**a _b_**', '*a _b_*'],
    ['# Head\n\ntext', '*Head*\n\ntext'],
    ['[docs](https://h/?a=1&b=2)', '<https://h/?a=1&amp;b=2|docs>'],
    ['**<https://h/pull/1>** and **https://h/pull/1**', '*<https://h/pull/1>* and *<https://h/pull/1>*'],
    ['[x](javascript:alert(1)) ![cat](https://h/c.png)', 'x <https://h/c.png|cat>'],
    ['[a|b>c](https://h/x|y)', '<https://h/x%7Cy|a¦b&gt;c>'],
    ['```py\na < b\n```', '```\na &lt; b\n```'],
    ['- a\n  - b\n- c', '• a\n    ◦ b\n• c'],
    ['1. a\n2. b', '1. a\n2. b'],
    ['- [x] a\n- [ ] b', '☑ a\n☐ b'],
    ['> a\n> b', '> a\n> b'],
    ['a\n\n***\n\nb', 'a\n\n———\n\nb'],
    ['| n | 名字 |\n|--:|---|\n| 1 | **谢谢** |', '```\nn | 名字\n--+-----\n1 | 谢谢\n```'],
    ['my_func_name 2 * 3 * 4', 'my_func_name 2 * 3 * 4'],
    ['[@Ann *Lee*](mention:U0AAAAAAA) [@x](mention:!channel)', '<@U0AAAAAAA> @x'],
    [
      '<!channel> <@U0AAAAAAA> <!subteam^S1>',
      '&lt;\u2060!channel&gt; &lt;\u2060@U0AAAAAAA&gt; &lt;\u2060!subteam^S1&gt;',
    ],
  ];
  for (const [markdown, expected] of table) assert.equal(renderMrkdwn(parse(markdown)), expected, markdown);
});

test('an answer calls nobody, in no form of it', async () => {
  const markdown =
    'copied: <!channel> <!here|x> <!everyone> <@U0AAAAAAA> <@W0AAAAAAA> <!subteam^S1|@ops>\n\n`<!channel>`';
  for (const plain of [true, false]) {
    const body = await bodyOf({ markdown, buttons: [{ label: '<!channel>', value: 'x' }] }, { plain }, state);
    const text = JSON.stringify(body).replaceAll(/"type":"plain_text","text":"[^"]*"/g, '');
    assert.doesNotMatch(text, /<[@!]/);
  }
  assert.equal(slackMarkdown('@here, @channel. @everyone'), '@\u2060here, @\u2060channel. @\u2060everyone');
  const kept = 'a@here.com @channels @everyone.io <!DOCTYPE html> <!-- no --> Array<@T> a <b> <#C1> <!important>';
  assert.equal(harmless(kept), kept);
});

test('no spelling of @channel, @here, @everyone or @all rings at anybody’s', async () => {
  const spellings = [
    ...[
      '@channel',
      '@HERE',
      '@Everyone',
      '@all',
      '＠channel',
      '\\@here',
      '@\\here',
      '@**channel**',
      '请@all看',
      '@channel/@here',
    ],
    ...['&commat;here', '&#64;here', '&#x40;channel', '@&#104;ere', '@h&#x45;re', '&#0064;all'],
    ...[
      '<!channel>',
      '<!HERE|x>',
      '<\\!here>',
      '\\<!everyone>',
      '&lt;!channel&gt;',
      '&#60;!here>',
      '<&#33;here>',
      '<&excl;all>',
    ],
    ...[
      '<@all>',
      '<@U0AAAAAAA>',
      '&lt;@W0AAAAAAA>',
      '<!subteam^S1>',
      '<!SubTeam^S1|@ops>',
      '`<!channel>`',
      '```\n@here\n```',
    ],
  ];
  const rings = /<(?:@[UW](?!1AAAAAAA>)|!\w)|@(?:here|channel|everyone|all)\b/i;
  const read = (markdown: string): string =>
    renderPlain(parse(markdown)).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  for (const spelling of spellings) {
    for (const markdown of [spelling, `[@Ann](mention:U1AAAAAAA) ${spelling}`, `| a |\n|---|\n| ${spelling} |`]) {
      for (const plain of [true, false]) {
        const { text, blocks } = await bodyOf({ markdown }, { plain }, state);
        for (const sent of [text, ...blocks.map((block) => String(Reflect.get(block, 'text')))]) {
          assert.doesNotMatch(sent, rings, markdown);
          assert.doesNotMatch(read(sent), rings, markdown);
        }
      }
    }
  }
});

test('an address stays as it is, whatever it contains', () => {
  const kept =
    'https://h/@channel/1 <https://medium.com/@here> [x](https://h/?u=@all) ann@all.org @allow @hereby @group_a';
  assert.equal(harmless(kept), kept);
  assert.equal(renderMrkdwn(parse('[x](https://h/@here)')), '<https://h/@here|x>');
});

test('only those are called whom a mention names', async () => {
  const markdown = '[@Ann](mention:U0AAAAAAA): [all](mention:!channel) [x](mention:%3C!here%3E) `[@Ann](mention:U1)`';
  const rich = await bodyOf({ markdown }, {}, state);
  assert.deepEqual(rich.blocks, [{ type: 'markdown', text: '<@U0AAAAAAA>: all x `[@Ann](mention:U1)`' }]);
  assert.equal(rich.text, '<@U0AAAAAAA>: all x `[@Ann](mention:U1)`');
  assert.equal((await bodyOf({ markdown: '[@Ann](mention:U0AAAAAAA) hi' }, { plain: true }, state)).text, '@Ann hi');
});

test('what was made harmless stays so while a text grows', () => {
  const pings = fc.constantFrom('<!channel>', '<@U0AAAAAAA>', '<!here|x>', 'a < b', 'text ', '<', '!', '@');
  fc.assert(
    fc.property(fc.array(pings, { maxLength: 8 }), fc.nat(80), (parts, cut) => {
      const whole = parts.join('');
      const shown = harmless(whole.slice(0, cut));
      assert.ok(!/<[@!](?:U0|channel|here)/.test(shown));
      assert.ok(!/<[@!](?:U0|channel|here)/.test(harmless(whole)));
    }),
  );
});

test('every part of a long answer fits, as Markdown, as text and plain', async () => {
  const code = Array.from({ length: 900 }, (_, n) => `print("line ${n} 👍🏽")`).join('\n');
  const rows = Array.from({ length: 200 }, (_, n) => `| ${n} | ${'x'.repeat(90)} |`).join('\n');
  const long = [
    `# T\n\n\`\`\`py\n${code}\n\`\`\``,
    `| a | b |\n|---|---|\n${rows}`,
    '谢'.repeat(30_000),
    '& '.repeat(9_000),
    `${'\n'.repeat(12_000)}x`,
    '\\*'.repeat(6_000),
  ];
  for (const markdown of [...long, long.join('\n\n')]) {
    const parts = splitDocument({ markdown, buttons: [{ label: 'Ok', value: 'ok' }] });
    assert.ok(parts.every((part, n) => (part.buttons !== undefined) === (n === parts.length - 1)));
    for (const part of parts) {
      assert.ok(part.markdown.length <= MESSAGE_MAX_CHARS);
      const shown = await bodyOf(part, {}, state);
      assert.ok(shown.text.length <= TEXT_MAX_CHARS);
      assert.ok(String(Reflect.get(shown.blocks[0] ?? {}, 'text')).length <= MARKDOWN_MAX_CHARS);
      const plain = await bodyOf(part, { plain: true }, state);
      assert.ok(plain.text.length <= TEXT_MAX_CHARS && plain.blocks.length <= 50);
      for (const block of plain.blocks) {
        const text = Reflect.get(Object(Reflect.get(block, 'text')), 'text');
        assert.ok(text === undefined || (String(text).length <= SECTION_MAX_CHARS && String(text).trim() !== ''));
      }
    }
  }
  assert.equal(splitDocument({ markdown: 'x'.repeat(MESSAGE_MAX_CHARS) }).length, 1);
});

test('whatever a model writes becomes well-formed text', () => {
  fc.assert(
    fc.property(fc.oneof(answers, soup), (markdown) => {
      for (const text of [renderMrkdwn(parse(markdown)), renderPlain(parse(markdown))]) {
        assert.ok(text.isWellFormed());
        assert.doesNotMatch(text, /<[@!#]/);
      }
    }),
    { numRuns: 100 },
  );
});

test('no answer at all takes long to cut, or is cut into more than Slack takes', () => {
  for (const [name, bomb] of Object.entries(bombs)) {
    const markdown = bomb(16_000);
    splitDocument({ markdown: bomb(12_000) }); // warm
    const before = process.cpuUsage();
    const parts = splitDocument({ markdown });
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 400_000, `${name}: ${(user + system) / 1_000} ms of CPU`);
    for (const part of parts) assert.ok(part.markdown.length <= MESSAGE_MAX_CHARS, name);
  }
});

test('links to scripts and files are dead, as text and as Markdown', () => {
  const markdown = 'see [this](javascript:alert(1)), <file:///etc/passwd> and [that](https://h.example)';
  assert.equal(slackMarkdown(markdown), 'see this, file:///etc/passwd and [that](https://h.example)');
  assert.equal(renderMrkdwn(parse(markdown)), 'see this, file:///etc/passwd and <https://h.example|that>');
});

test('a message that is full of what would call everybody is not too long for being kept from it', () => {
  for (const markdown of ['@all '.repeat(2_299), `<!channel> ${'x'.repeat(11_450)} @here`.repeat(3)])
    for (const part of splitDocument({ markdown }))
      assert.ok(slackMarkdown(part.markdown).length <= MARKDOWN_MAX_CHARS);
});
