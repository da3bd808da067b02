import { z } from 'zod';
import type { SearchProvider } from './port.ts';

const answerSchema = z.object({
  data: z.object({
    webPages: z
      .object({
        value: z.array(
          z.object({
            name: z.string(),
            url: z.string(),
            snippet: z.string().nullish(),
            summary: z.string().nullish(),
            datePublished: z.string().nullish(),
          }),
        ),
      })
      .nullish(),
  }),
});

const FRESHNESS = { day: 'oneDay', week: 'oneWeek', month: 'oneMonth', year: 'oneYear' } as const;

/** https://open.bochaai.com, Web Search API */
export const bocha: SearchProvider = {
  title: 'Bocha',
  baseUrl: 'https://api.bochaai.com',
  statuses: { 403: { code: 'no_credit', why: 'the account has no money left' } },
  request: ({ text, count, freshness }, { baseUrl, apiKey }) => ({
    url: `${baseUrl}/v1/web-search`,
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: text,
      count,
      summary: true,
      freshness: freshness === undefined ? 'noLimit' : FRESHNESS[freshness],
    }),
  }),
  hits: (answer) =>
    (answerSchema.parse(answer).data.webPages?.value ?? []).map(({ name, url, snippet, summary, datePublished }) => ({
      title: name,
      url,
      snippet: summary || snippet || '',
      ...(datePublished ? { published: datePublished } : {}),
    })),
};
