import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeHtml } from '../charset.ts';
import { htmlToMarkdown, pageToMarkdown } from './page.ts';

const md = (html: string, url?: string): string => htmlToMarkdown(html, url).text;

test('HTML becomes the Markdown that a person would have written', () => {
  const table: [string, string][] = [
    ['plain words', 'plain words'],
    ['<h2>A</h2><p>b <b>c</b> <i>d</i> <code>e_f</code></p>', '## A\n\nb **c** _d_ `e_f`'],
    ['<ul><li>a<li><p>b</p><ul><li>c</ul></ul>', '- a\n- b\n  - c'],
    ['<ol start=3><li>a</li><li>b</li></ol>', '3. a\n4. b'],
    ['<pre><code class="language-ts">a  =  1\n\nb</code></pre>', '```ts\na  =  1\n\nb\n```'],
    ['a<script>x</script><style>y</style><noscript>z</noscript><svg><text>w</text></svg>b', 'ab'],
    ['<p hidden>a</p><p style="display:none">b</p><div aria-hidden="true">c</div>d<!-- e -->', 'd'],
    [
      '<a href="#top">up</a> <a href="/x"></a><img src="data:image/png;base64,AAAA" alt="a dot"><img src="/p.png">',
      'up [image: a dot]',
    ],
  ];
  for (const [html, expected] of table) assert.equal(md(html, 'https://example.com/'), expected, html);
});

test('tables become tables, unless they only arrange the page', () => {
  const data = '<table><thead><tr><th>A<th>B</thead><tbody><tr><td colspan=2>wide<tr><td>1<br>2<td>x|y</tbody></table>';
  assert.equal(md(data), '| A | B |\n| --- | --- |\n| wide | |\n| 1 2 | x\\|y |');
  assert.equal(md('<table><tr><td><p>one</p></td></tr><tr><td>two</td></tr></table>'), 'one\n\ntwo');
  const outer = '<table><tr><td>menu</td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>';
  assert.equal(md(outer), 'menu\n\n| a | b |\n| --- | --- |');
});

test('links are absolute, to the page or to the base that it names', () => {
  const links =
    '<a href="/a">a</a> <a href="b?c">b</a> <a href="//d.test/">d</a> <a href="javascript:e()">e</a> <img alt=f src=f.png>';
  assert.equal(
    md(links, 'https://x.test/dir/page'),
    '[a](https://x.test/a) [b](https://x.test/dir/b?c) [d](https://d.test/) e ![f](https://x.test/dir/f.png)',
  );
  const based = `<html><head><base href="/other/"></head><body>${links}</body></html>`;
  assert.match(md(based, 'https://x.test/dir/page'), /\[b\]\(https:\/\/x\.test\/other\/b\?c\)/);
});

const words = 'The river rises in the hills and runs for many miles before it meets the sea. '.repeat(12);

test('of a page the article is taken, with its title and date', () => {
  const page = `<html><head><title>River - News</title><meta property="article:published_time" content="2026-01-02"></head><body>
    <nav><a href="/">Home</a><a href="/more">More</a></nav><article><h1>The river</h1><p>${words}</p><p>${words} <a href="/map">map</a></p></article>
    <footer>Imprint</footer></body></html>`;
  const { title, published, text } = pageToMarkdown(page, 'https://news.test/a/b');
  assert.deepEqual([title, published], ['River - News', '2026-01-02']);
  assert.match(text, /rises in the hills[\s\S]*\[map\]\(https:\/\/news\.test\/map\)/);
  assert.doesNotMatch(text, /Imprint|Home/);
});

test('a page without an article is taken whole, without what stands around it', () => {
  const items = Array.from({ length: 30 }, (_, n) => `<li><a href="/${n}">Item ${n}</a></li>`).join('');
  const { title, text } = pageToMarkdown(
    `<title>List</title><nav>menu</nav><h1>All</h1><ul>${items}</ul><footer>imprint</footer>`,
    'https://x.test/',
  );
  assert.equal(title, 'List');
  assert.match(text, /^##? All\n\n- \[Item 0\]\(https:\/\/x\.test\/0\)\n/);
  assert.match(text, /- \[Item 29\]\(https:\/\/x\.test\/29\)$/);
});

test('what is no proper page is read as far as it goes', () => {
  for (const html of ['', '<', '<html>', '<!doctype html>', '</p></div>', '<body', '<table><tr>', '\0\0'])
    assert.equal(typeof pageToMarkdown(html, 'https://x.test/').text, 'string', html);
});

test('a page is decoded as the server, its mark or itself says, in this order of trust', () => {
  const gbk = Buffer.from('c4e3bac3', 'hex'); // 你好
  const meta = (label: string, body: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from(`<meta charset="${label}">`), body]);
  const table: [Uint8Array, string | undefined, RegExp][] = [
    [Buffer.from('你好'), 'utf-8', /^你好$/],
    [gbk, 'GB2312', /^你好$/],
    [meta('gbk', gbk), undefined, /你好$/],
    [meta('gbk', gbk), 'no-such-charset', /你好$/],
    [Buffer.from('\ufeff你好'), 'iso-8859-1', /^你好$/],
    [Buffer.from('\ufeff你好', 'utf16le'), undefined, /^你好$/],
    [Buffer.from('a4b3a4f3', 'hex'), 'euc-jp', /^こん$/],
    [Buffer.from('82b182f1', 'hex'), 'Shift_JIS', /^こん$/],
    [Buffer.from('<?xml version="1.0" encoding="windows-1251"?>\xcf\xf0', 'latin1'), undefined, /Пр$/],
    [meta('utf-16', Buffer.from('é')), undefined, /é$/],
    [Buffer.from('你好'.repeat(30)), 'us-ascii', /^(?:你好)+$/],
  ];
  for (const [content, charset, expected] of table) assert.match(decodeHtml(content, charset) ?? '', expected, charset);
  assert.equal(decodeHtml(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')), null);
});
