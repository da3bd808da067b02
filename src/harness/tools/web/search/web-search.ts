import { z } from 'zod';
import type { Net } from '../../../../net/port.ts';
import { defineTool, type Tool } from '../../port.ts';
import { askProvider } from './ask.ts';
import { plainSnippet } from './plain.ts';
import type { SearchAccount, SearchHit, SearchProvider } from './port.ts';

export const WEB_SEARCH = 'web_search';

/** What every provider takes; Brave's limit is the lowest. */
const MAX_QUERY_CHARS = 400;
const MOST_RESULTS = 20;
const MAX_TITLE_CHARS = 200;
const MAX_SNIPPET_CHARS = 600;

export interface WebSearchOptions {
  readonly net: Net;
  readonly provider: SearchProvider;
  readonly account: SearchAccount;
  /** Unless the model asks for another number. */
  readonly maxResults: number;
}

/** Searches the web by the provider that is configured. */
export const webSearch = ({ net, provider, account, maxResults }: WebSearchOptions): Tool =>
  defineTool({
    name: WEB_SEARCH,
    description:
      'Searches the web and returns titles, addresses and a few words of the pages found. Use it for what is recent, local or otherwise not known to you; read the pages that matter with web_fetch, and name them in your answer.',
    input: z.object({
      query: z
        .string()
        .trim()
        .min(1)
        .max(MAX_QUERY_CHARS)
        .describe('A few words, as one types them into a search box.'),
      max_results: z.int().min(1).max(MOST_RESULTS).optional().describe(`Left out: ${maxResults}.`),
      freshness: z.enum(['day', 'week', 'month', 'year']).optional().describe('Only pages that are no older.'),
      language: z
        .string()
        .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)
        .optional()
        .describe('Of the pages, e.g. en or zh-CN.'),
    }),
    trust: 'remote',
    run: async ({ query, max_results: count = maxResults, freshness, language }, _context, signal) => {
      const hits = await askProvider(
        net,
        provider,
        account,
        {
          text: query,
          count,
          ...(freshness === undefined ? {} : { freshness }),
          ...(language === undefined ? {} : { language }),
        },
        signal,
      );
      const shown = hits.filter(({ url }) => /^https?:\/\//i.test(url)).slice(0, count);
      if (shown.length === 0)
        return `Nothing was found for ${JSON.stringify(query)}. Try other words${freshness === undefined ? '' : ', or leave out freshness'}.`;
      return `${shown.length === 1 ? '1 result' : `${shown.length} results`} of ${provider.title}:\n\n${shown.map(writeHit).join('\n\n')}`;
    },
  });

function writeHit({ title, url, snippet, published }: SearchHit, index: number): string {
  const lines = [
    `${index + 1}. ${plainSnippet(title, MAX_TITLE_CHARS)}`,
    `   ${url.replace(/\s+/g, '').slice(0, 2_000)}`,
    ...(published === undefined ? [] : [`   Published: ${plainSnippet(published, 40)}`]),
    ...(snippet.trim() === '' ? [] : [`   ${plainSnippet(snippet, MAX_SNIPPET_CHARS)}`]),
  ];
  return lines.join('\n');
}
