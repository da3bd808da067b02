import { z } from 'zod';
import type { SearchProvider } from './port.ts';

const answerSchema = z.object({
  results: z.array(
    z.object({
      title: z.string().nullish(),
      url: z.string(),
      content: z.string().nullish(),
      publishedDate: z.string().nullish(),
    }),
  ),
});

/** https://docs.searxng.org/dev/search_api.html */
export const searxng: SearchProvider = {
  title: 'SearXNG',
  baseUrl: null,
  statuses: {
    403: { code: 'config_invalid', why: 'it answers no programs; its settings need "json" among search.formats' },
  },
  request: ({ text, freshness, language }, { baseUrl, apiKey }) => {
    const query = new URLSearchParams({ q: text, format: 'json' });
    if (freshness !== undefined) query.set('time_range', freshness);
    if (language !== undefined) query.set('language', language);
    // It has no keys of its own; one is for a proxy before it.
    return {
      url: `${baseUrl}/search?${query}`,
      headers: { accept: 'application/json', ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }) },
    };
  },
  hits: (answer) =>
    answerSchema.parse(answer).results.map(({ title, url, content, publishedDate: published }) => ({
      title: title ?? url,
      url,
      snippet: content ?? '',
      ...(published ? { published } : {}),
    })),
};
