import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { serveLoopback } from '../../../../testing/loopback.ts';
import { createConverter } from '../../../documents/index.ts';
import { someModel, toolContext } from '../../../testing/fake-run.ts';
import { assistantWith, runContext } from '../../../testing/run.ts';
import type { Tool } from '../../port.ts';
import { webSource, webToolNames } from '../index.ts';
import { plainSnippet } from './plain.ts';
import type { SearchProviderName } from './providers.ts';

const converter = createConverter();

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

interface StandIn {
  readonly url: string;
  readonly seen: Seen[];
  answer(status: number, body: unknown, headers?: Record<string, string>): void;
}

const KEY = 'key-0123456789-secret';

/** A provider on loopback that answers what the test tells it to. */
async function standIn(t: TestContext): Promise<StandIn> {
  const seen: Seen[] = [];
  let next: { status: number; body: unknown; headers: Record<string, string> } = { status: 200, body: {}, headers: {} };
  const { url } = await serveLoopback(t, async (request, response) => {
    const asked = new URL(request.url ?? '', 'http://x');
    const body = (await Array.fromAsync(request)).join('');
    seen.push({
      method: request.method ?? '',
      path: asked.pathname,
      query: Object.fromEntries(asked.searchParams),
      headers: request.headers,
      body: body === '' ? null : JSON.parse(body),
    });
    response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers });
    response.end(typeof next.body === 'string' ? next.body : JSON.stringify(next.body));
  });
  return {
    url,
    seen,
    answer: (status, body, headers = {}) => {
      next = { status, body, headers };
    },
  };
}

async function searchTool(provider: SearchProviderName, baseUrl: string, apiKey = KEY): Promise<Tool> {
  const source = webSource({
    converter,
    allowed: [],
    userAgent: 'Antler-test',
    fetch: null,
    search: { provider, apiKey, baseUrl, maxResults: 5 },
  });
  const [tool] = await source.tools(assistantWith(someModel), runContext);
  assert.ok(tool !== undefined);
  return tool;
}

const call = (tool: Tool, args: object): Promise<string> =>
  tool.call(args, toolContext(), new AbortController().signal);

const HIT = 'https://example.com/a';

/** What each provider is asked, and an answer in its published shape. */
const WIRE: Readonly<
  Record<
    SearchProviderName,
    {
      readonly asked: Partial<Seen>;
      readonly plainly: Partial<Seen>;
      readonly answer: unknown;
      readonly nothing: unknown;
    }
  >
> = {
  tavily: {
    asked: {
      method: 'POST',
      path: '/search',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: { query: 'wind & rain', max_results: 3, time_range: 'week' },
    },
    plainly: { body: { query: 'wind & rain', max_results: 5 } },
    answer: {
      query: 'wind & rain',
      follow_up_questions: null,
      answer: null,
      images: [],
      results: [
        {
          title: 'Wind',
          url: HIT,
          content: 'It <b>blows</b> &amp; rains.',
          score: 0.9,
          raw_content: null,
          published_date: '2026-01-02',
        },
      ],
      response_time: 1.1,
    },
    nothing: { query: 'x', results: [] },
  },
  searxng: {
    asked: {
      method: 'GET',
      path: '/search',
      query: { q: 'wind & rain', format: 'json', time_range: 'week', language: 'zh-CN' },
    },
    plainly: { query: { q: 'wind & rain', format: 'json' } },
    answer: {
      query: 'wind & rain',
      number_of_results: 0,
      results: [
        {
          title: 'Wind',
          url: HIT,
          content: 'It blows & rains.',
          engine: 'x',
          publishedDate: '2026-01-02',
          score: 1,
          category: 'general',
        },
      ],
      answers: [],
      infoboxes: [],
      suggestions: [],
      unresponsive_engines: [],
    },
    nothing: { query: 'x', results: [], unresponsive_engines: [['x', 'timeout']] },
  },
  brave: {
    asked: {
      method: 'GET',
      path: '/res/v1/web/search',
      query: { q: 'wind & rain', count: '3', freshness: 'pw', search_lang: 'zh-hans' },
      headers: { 'x-subscription-token': KEY },
    },
    plainly: { query: { q: 'wind & rain', count: '5' } },
    answer: {
      type: 'search',
      query: { original: 'wind & rain' },
      web: {
        type: 'search',
        results: [
          {
            title: 'Wind',
            url: HIT,
            description: 'It <strong>blows</strong> &#x26; rains.',
            page_age: '2026-01-02',
            profile: {},
          },
        ],
      },
    },
    nothing: { type: 'search', query: { original: 'x' } },
  },
  bocha: {
    asked: {
      method: 'POST',
      path: '/v1/web-search',
      headers: { authorization: `Bearer ${KEY}` },
      body: { query: 'wind & rain', count: 3, summary: true, freshness: 'oneWeek' },
    },
    plainly: { body: { query: 'wind & rain', count: 5, summary: true, freshness: 'noLimit' } },
    answer: {
      code: 200,
      log_id: '1',
      msg: null,
      data: {
        _type: 'SearchResponse',
        queryContext: { originalQuery: 'wind & rain' },
        webPages: {
          totalEstimatedMatches: 1,
          value: [
            {
              id: '1',
              name: 'Wind',
              url: HIT,
              snippet: 'short',
              summary: 'It blows & rains.',
              siteName: 'x',
              datePublished: '2026-01-02',
              language: null,
            },
          ],
        },
      },
    },
    nothing: { code: 200, data: { webPages: { value: [] } } },
  },
};

for (const [name, wire] of Object.entries(WIRE) as [SearchProviderName, (typeof WIRE)[SearchProviderName]][]) {
  test(`${name} is asked in its own words, and answers in ours`, async (t) => {
    const provider = await standIn(t);
    const tool = await searchTool(name, `${provider.url}/`);
    provider.answer(200, wire.answer);
    const text = await call(tool, { query: ' wind & rain ', max_results: 3, freshness: 'week', language: 'zh-CN' });
    assert.partialDeepStrictEqual(provider.seen[0], wire.asked);
    assert.match(
      text,
      /^1 result of \w+:\n\n1\. Wind\n {3}https:\/\/example\.com\/a\n {3}Published: 2026-01-02\n {3}It blows & rains\.$/,
    );
    await call(tool, { query: 'wind & rain' });
    const [plain] = provider.seen.slice(1);
    for (const [key, value] of Object.entries(wire.plainly)) assert.deepEqual(plain?.[key as keyof Seen], value);
    provider.answer(200, wire.nothing);
    assert.equal(
      await call(tool, { query: 'x', freshness: 'day' }),
      'Nothing was found for "x". Try other words, or leave out freshness.',
    );
  });

  test(`${name}: every refusal is a sentence without the key`, async (t) => {
    const provider = await standIn(t);
    const tool = await searchTool(name, provider.url);
    const refused = async (status: number, headers = {}): Promise<{ code: string; message: string }> => {
      provider.answer(status, { error: `Invalid key ${KEY}` }, headers);
      const thrown: unknown = await call(tool, { query: 'x' }).catch((error: unknown) => error);
      assert.ok(thrown instanceof Error && 'code' in thrown, String(status));
      assert.doesNotMatch(`${thrown.stack} ${JSON.stringify(thrown)}`, /secret/);
      return { code: String(thrown.code), message: thrown.message };
    };
    assert.equal((await refused(401)).code, 'unauthorized');
    assert.match((await refused(429, { 'retry-after': '3' })).message, /asks to wait, for 3 s$/);
    assert.equal((await refused(422)).code, 'bad_input');
    assert.equal((await refused(500)).code, 'unavailable');
    assert.equal((await refused(302, { location: 'http://169.254.169.254/' })).code, 'forbidden');
    const own = {
      tavily: [432, 'no_credit'],
      searxng: [403, 'config_invalid'],
      brave: [402, 'no_credit'],
      bocha: [403, 'no_credit'],
    } as const;
    const [status, code] = own[name];
    assert.equal((await refused(status)).code, code);
    for (const body of ['<html>', '{}', '{"results":7,"data":null,"web":{"results":{}}}']) {
      provider.answer(200, body);
      if (name === 'brave' && body === '{}') continue; // nothing was found
      await assert.rejects(call(tool, { query: 'x' }), { code: 'unavailable', message: /no search result$/ });
    }
  });
}

test('titles and snippets of strangers are plain text, bounded, and lead to web pages only', async (t) => {
  const provider = await standIn(t);
  const tool = await searchTool('searxng', provider.url, '');
  const results = [
    { title: 'a\nb <script>x', url: 'javascript:alert(1)', content: 'no' },
    { title: 'c\nd', url: 'https://example.com/ x\ny', content: 'long '.repeat(1_000) },
    { url: HIT },
  ];
  provider.answer(200, { results });
  const text = await call(tool, { query: 'x' });
  assert.match(
    text,
    /^2 results of SearXNG:\n\n1\. c d\n {3}https:\/\/example\.com\/xy\n {3}(?:long ){120}…\n\n2\. https:/,
  );
  assert.equal(provider.seen[0]?.headers.authorization, undefined);
});

test('a base URL that is configured is reached where it is, but a metadata service never', async (t) => {
  const provider = await standIn(t);
  provider.answer(200, { results: [] });
  assert.match(await call(await searchTool('searxng', provider.url), { query: 'x' }), /^Nothing/);
  await assert.rejects(call(await searchTool('searxng', 'http://169.254.169.254'), { query: 'x' }), {
    code: 'forbidden',
  });
});

test('without a provider there is no search, and without leave no fetch', async () => {
  const source = webSource({ converter, allowed: [], userAgent: 'x', fetch: null, search: null });
  assert.deepEqual(await source.tools(assistantWith(someModel), runContext), []);
  const all = webSource({
    converter,
    allowed: [],
    userAgent: 'x',
    fetch: { maxBytes: 1 },
    search: { provider: 'tavily', apiKey: 'k', maxResults: 1 },
  });
  const tools = await all.tools(assistantWith(someModel), runContext);
  assert.deepEqual(
    tools.map(({ name }) => name),
    webToolNames,
  );
  assert.ok(tools.every(({ trust }) => trust === 'remote'));
});

test('what marks words in a snippet goes, and what is escaped is read', () => {
  const table: [string, string][] = [
    [
      'a <strong>b</strong> &lt;c&gt; &#39;d&#x27; &quot;e&quot; &nbsp; &unknown; &#0; &#x110000;',
      `a b <c> 'd' "e" &unknown; &#0; &#x110000;`,
    ],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['&amp;lt;', '&lt;'],
  ];
  for (const [html, plain] of table) assert.equal(plainSnippet(html, 500), plain);
  assert.equal(plainSnippet('😀'.repeat(5), 3), '😀\ufffd…');
});
