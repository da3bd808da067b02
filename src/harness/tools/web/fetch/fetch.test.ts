import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { type TestContext, test } from 'node:test';
import { parseAllowed } from '../../../../net/allowed.ts';
import { serveLoopback } from '../../../../testing/loopback.ts';
import { createConverter } from '../../../documents/index.ts';
import { docxOf, pdfOf, wordParagraph } from '../../../documents/testing/samples.ts';
import { someModel, toolContext } from '../../../testing/fake-run.ts';
import { assistantWith, runContext } from '../../../testing/run.ts';
import type { Tool } from '../../port.ts';
import { webSource } from '../index.ts';
import { partOf } from './cut.ts';
import { Pages } from './pages.ts';

const converter = createConverter();

type Answer = readonly [status: number, headers: OutgoingHttpHeaders, body: string | Uint8Array];

interface Site {
  readonly url: string;
  readonly tool: Tool;
  /** Paths and headers, as they came. */
  readonly seen: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[];
}

/** A web site on loopback that the configuration has opened. */
async function siteWith(
  t: TestContext,
  answers: Readonly<Record<string, Answer>>,
  maxBytes = 1_000_000,
): Promise<Site> {
  const seen: Site['seen'] = [];
  const { host, url } = await serveLoopback(t, (request, response) => {
    seen.push({ path: request.url ?? '', headers: request.headers });
    const [status, headers, body] = answers[request.url ?? ''] ?? [404, {}, ''];
    response.writeHead(status, headers).end(body);
  });
  const source = webSource({
    converter,
    allowed: [parseAllowed(host)].filter((service) => service !== null),
    userAgent: 'Antler-test',
    fetch: { maxBytes },
    search: null,
  });
  const [tool] = await source.tools(assistantWith(someModel), runContext);
  assert.ok(tool !== undefined);
  return { url, tool, seen };
}

const read = (tool: Tool, args: object): Promise<string> =>
  tool.call(args, toolContext(), new AbortController().signal);

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const sentence = 'The river rises in the hills and runs for many miles before it meets the sea. ';
const article = `<html><head><title>The river</title></head><body><nav>menu</nav><article><h1>Rivers</h1><p>${sentence.repeat(8)}<a href="/map">map</a></p></article></body></html>`;

test('a page becomes Markdown with its title, its address and absolute links', async (t) => {
  const site = await siteWith(t, {
    '/old': [301, { location: '/river#top' }, ''],
    '/river': [200, HTML, article],
  });
  const text = await read(site.tool, { url: `${site.url}/old` });
  assert.ok(text.startsWith(`Title: The river\nURL: ${site.url}/river`), text.slice(0, 200));
  assert.match(text, new RegExp(`\\[map\\]\\(${site.url.replaceAll('.', '\\.')}/map\\)$`));
  assert.doesNotMatch(text, /menu|Characters/);
  assert.partialDeepStrictEqual(site.seen[1]?.headers, {
    'user-agent': 'Antler-test',
    'accept-language': 'en,*;q=0.5',
  });
});

test('a page is read in the encoding that only the server names', async (t) => {
  const gbk = Buffer.concat([
    Buffer.from('<html><body><p>'),
    Buffer.from('c4e3bac3a3accac0bde7', 'hex'),
    Buffer.from('</p></body></html>'),
  ]);
  const site = await siteWith(t, { '/': [200, { 'content-type': 'text/html; charset=gb2312' }, gbk] });
  assert.match(await read(site.tool, { url: `${site.url}/` }), /\n\n你好，世界$/);
});

test('documents are read, and what is text already stays as it is', async (t) => {
  const json = '{"a": [1,  2]}\n<b>';
  const site = await siteWith(t, {
    '/a.json': [200, { 'content-type': 'application/json' }, json],
    '/a.csv': [200, { 'content-type': 'text/csv' }, 'a,b\n1,2\n'],
    '/a.txt': [200, { 'content-type': 'text/plain' }, '<html> is a tag'],
    '/pdf': [200, { 'content-type': 'application/octet-stream' }, pdfOf(['a line of a PDF'])],
    '/docx': [200, {}, docxOf(wordParagraph('a line of Word'))],
    '/none': [200, {}, '<!doctype html><html><body><p>untyped</p>'],
    '/empty': [200, HTML, '<html><body><script>render()</script></body></html>'],
  });
  const body = async (path: string): Promise<string> =>
    (await read(site.tool, { url: site.url + path })).split('\n\n').slice(1).join('\n\n');
  assert.equal(await body('/a.json'), json);
  assert.equal(await body('/a.csv'), 'a,b\n1,2\n');
  assert.equal(await body('/a.txt'), '<html> is a tag');
  assert.match(await body('/pdf'), /a line of a PDF$/);
  assert.equal(await body('/docx'), 'a line of Word');
  assert.equal(await body('/none'), 'untyped');
  assert.match(await body('/empty'), /^There is no text on this page\. It may need scripts/);
});

test('a long page comes in parts that belong together', async (t) => {
  const lines = Array.from({ length: 2_000 }, (_, n) => `line ${n} of the log`).join('\n');
  const site = await siteWith(t, { '/log': [200, { 'content-type': 'text/plain' }, lines] });
  let whole = '';
  for (let offset = 0; ; ) {
    const text = await read(site.tool, { url: `${site.url}/log`, offset, max_chars: 20_000 });
    assert.ok(text.length < 20_300);
    whole += text.split('\n\n').slice(1).join('\n\n');
    const next = /go on with offset (\d+)/.exec(text)?.[1];
    if (next === undefined) break;
    offset = Number(next);
  }
  assert.equal(whole, lines);
  assert.equal(site.seen.length, 1);
  assert.match(await read(site.tool, { url: `${site.url}/log`, offset: 999_999 }), /999999 is behind its end\.$/);
  await read(site.tool, { url: `${site.url}/log` });
  assert.equal(site.seen.length, 2, 'the beginning is always fresh');
});

test('what cannot be read is said in a sentence that says what to do', async (t) => {
  const site = await siteWith(
    t,
    {
      '/png': [200, { 'content-type': 'image/png' }, 'x'],
      '/mp4': [200, { 'content-type': 'video/mp4' }, 'x'],
      '/zip': [200, {}, Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
      '/bin': [200, { 'content-type': 'application/x-thing' }, Buffer.from('00ff00fe00017f'.repeat(20), 'hex')],
      '/login': [403, {}, ''],
      '/wait': [429, { 'retry-after': '9' }, ''],
      '/broken': [500, {}, ''],
      '/big': [200, HTML, 'x'.repeat(200_000)],
      '/inside': [302, { location: 'http://127.0.0.1:6379/' }, ''],
    },
    100_000,
  );
  const table: [string, string, RegExp][] = [
    ['/png', 'unsupported', /image\/png; use view_image/],
    ['/mp4', 'unsupported', /video\/mp4; there is no text in it/],
    ['/zip', 'unsupported', /^the document is an archive/],
    ['/bin', 'unsupported', /application\/x-thing, not of text/],
    ['/login', 'unsupported', /HTTP 403/],
    ['/wait', 'rate_limited', /for 9 s/],
    ['/broken', 'unavailable', /HTTP 500/],
    ['/gone', 'target_gone', /no such page/],
    ['/big', 'too_large', /more than 100000 bytes/],
    ['/inside', 'forbidden', /not on the public internet/],
  ];
  for (const [path, code, message] of table)
    await assert.rejects(read(site.tool, { url: site.url + path }), { code, message }, path);
  for (const url of ['http://localhost:1/', 'http://169.254.169.254/latest/', 'http://10.0.0.1/', 'http://[::1]/'])
    await assert.rejects(read(site.tool, { url }), { code: 'forbidden' }, url);
  await assert.rejects(read(site.tool, { url: 'file:///etc/passwd' }), { code: 'bad_input' });
});

test('parts end with a line where they can, and never inside a character', () => {
  const text = `${'a'.repeat(90)}\n${'b'.repeat(50)}`;
  assert.deepEqual(partOf(text, 0, 100), { text: `${'a'.repeat(90)}\n`, from: 0, to: 91 });
  assert.equal(partOf(text, 91, 100).to, text.length);
  const emoji = '😀'.repeat(100);
  let whole = '';
  for (let offset = 0; offset < emoji.length; ) {
    const part = partOf(emoji, offset, 33);
    assert.ok(part.text.isWellFormed());
    whole += part.text;
    offset = part.to;
  }
  assert.equal(whole, emoji);
});

test('pages are kept for minutes, in bounds', () => {
  const pages = new Pages();
  const page = (text: string) => ({ url: 'u', text });
  pages.keep('a', page('a'), 0);
  assert.equal(pages.find('a', 299_999)?.text, 'a');
  assert.equal(pages.find('a', 300_000), undefined);
  for (let n = 0; n < 60; n++) pages.keep(`p${n}`, page('x'), 1);
  assert.equal(pages.find('p0', 2), undefined);
  assert.equal(pages.find('p59', 2)?.text, 'x');
  pages.keep('big', page('x'.repeat(4_999_999)), 3);
  assert.equal(pages.find('p50', 4), undefined);
  assert.ok(pages.find('big', 4) !== undefined);
});
