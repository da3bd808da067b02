import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapeHtml } from '../../../src/base/html.ts';
import { renderHtml, renderPlain } from './render.ts';

test('Markdown reads as HTML', () => {
  const link = (href: string, html: string) =>
    `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${html}</a>`;
  const table: [markdown: string, html: string][] = [
    ['谢谢 **好的** _x_ ~~y~~ `z`', '<p>谢谢 <strong>好的</strong> <em>x</em> <del>y</del> <code>z</code></p>'],
    ['# One\n\n###### Six', '<h3>One</h3><h6>Six</h6>'],
    ['a  \nb', '<p>a<br>b</p>'],
    ['> a\n\n---', '<blockquote><p>a</p></blockquote><hr>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['- [x] a\n- [ ] b', '<ul><li>☑ a</li><li>☐ b</li></ul>'],
    ['```js\na < b\n```', '<pre data-language="js" tabindex="0"><code>a &lt; b</code></pre>'],
    ['[a](https://x.y/?a=1&b="2")', `<p>${link('https://x.y/?a=1&amp;b=%222%22', 'a')}</p>`],
    ['<mailto:a@b.c>', `<p>${link('mailto:a@b.c', 'mailto:a@b.c')}</p>`],
    ['![cat](https://x.y/c.png)', `<p>${link('https://x.y/c.png', '🖼 cat')}</p>`],
    ['[a](/etc/passwd) [b](javascript:alert(1)) ![c](data:text/html,x)', '<p>a b 🖼 c</p>'],
    [
      '|a|b|\n|:-:|--:|\n|1|2|',
      '<div class="table" tabindex="0"><table><thead><tr><th class="center">a</th><th class="right">b</th></tr></thead><tbody><tr><td class="center">1</td><td class="right">2</td></tr></tbody></table></div>',
    ],
    ['<b>x</b>', '<p>&lt;b&gt;x&lt;/b&gt;</p>'],
    ['', ''],
  ];
  for (const [markdown, html] of table) assert.equal(renderHtml(markdown), html, markdown);
});

test('what a person typed stays as typed', () => {
  assert.equal(renderPlain('a **b**\n<i>'), '<p class="plain">a **b**\n&lt;i&gt;</p>');
  assert.equal(escapeHtml(`<>&"'\u0000\u001b\t\n`), '&lt;&gt;&amp;&quot;&#39;\ufffd\ufffd\t\n');
});

test('a text that nests without end is still shown', () => {
  assert.match(renderHtml(`${'- '.repeat(2_000)}end`), /end/);
});

/** Tags and attributes that the renderer may write; anything else in its output came from outside. */
const allowedTag =
  /^<(\/?(p|h[3-6]|strong|em|del|code|br|hr|blockquote|ul|ol|li|pre|div|table|thead|tbody|tr|th|td|a))(( start="\d+"| tabindex="0"| target="_blank"| rel="noopener noreferrer nofollow"| class="(plain|table|center|right)"| data-language="[^"<>]*"| href="(https?:\/\/|mailto:)[^"<>]*")*)>$/;

function assertSafe(html: string): void {
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) assert.match(tag, allowedTag);
  assert.doesNotMatch(html, /<script|href="(?!https?:|mailto:)/i);
}

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](<java\nscript:alert(1)>)',
  '[x](&#106;avascript:alert(1))',
  '[x](&#x6A;&#x61;vascript&colon;alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](vbscript:x) [y](data:text/html;base64,PHNjcmlwdD4=) [z](file:///etc/passwd) [b](blob:https://x/y)',
  '[x](https://a.b/"onmouseover="alert(1))',
  '[x](https://a.b/%22%3E%3Cscript%3E)',
  "[x](https://a.b/'><script>)",
  '![x"onload="alert(1)](https://a.b/"><script>)',
  '[x]: javascript:alert(1)\n\n[x] ![x]',
  '<javascript:alert(1)>',
  '```"><script>alert(1)</script>\nx\n```',
  '```js" onclick="x\ny\n```',
  '`<script>`',
  '| <script> | [x](javascript:1) |\n|---|---|\n| <img onerror=x> | "><svg |',
  '# <script>\n\n> <iframe src=x>\n\n- <object data=x>',
  '[^a]\n\n[^a]: <script>x</script>',
  '<!-- <script>x</script> -->',
  '<![CDATA[<script>]]>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<<script>script>',
  '\u0000<scr\u0000ipt>',
  '[![x](javascript:1)](javascript:2)',
  'www.example.com/"><script> http://x.y/<script>',
];

test('no attack of the corpus becomes markup', () => {
  for (const attack of attacks) {
    assertSafe(renderHtml(attack));
    assertSafe(renderHtml(`> - ${attack}`));
    assertSafe(renderPlain(attack));
  }
  for (let at = 0; at < attacks.length; at++) assertSafe(renderHtml(`${attacks[at]}\n${attacks[at - 1]}`));
});

test('no text ever becomes markup of its own', () => {
  const piece = fc.oneof(
    fc.constantFrom(...attacks),
    fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '"',
      "'",
      '`',
      '```\n',
      '|',
      '\n',
      '*',
      '_',
      '~~',
      '#',
      '!',
      '&',
      ':',
      '- ',
    ),
    fc.constantFrom('javascript:', 'https://a.b/', 'data:', '<script', '</', '\\', '&#58;', '\t', '|-|-|\n'),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => assertSafe(renderHtml(pieces.join('')))),
    { numRuns: 400 },
  );
});
