import { z } from 'zod';
import type { SearchProvider } from './port.ts';

const answerSchema = z.object({
  results: z.array(
    z.object({
      title: z.string(),
      url: z.string(),
      content: z.string().default(''),
      published_date: z.string().nullish(),
    }),
  ),
});

const OUT_OF_CREDIT = { code: 'no_credit', why: 'the plan of the key is used up' } as const;

/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
export const tavily: SearchProvider = {
  title: 'Tavily',
  baseUrl: 'https://api.tavily.com',
  statuses: { 432: OUT_OF_CREDIT, 433: OUT_OF_CREDIT },
  request: ({ text, count, freshness }, { baseUrl, apiKey }) => ({
    url: `${baseUrl}/search`,
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: text,
      max_results: count,
      ...(freshness === undefined ? {} : { time_range: freshness }),
    }),
  }),
  hits: (answer) =>
    answerSchema.parse(answer).results.map(({ title, url, content, published_date: published }) => ({
      title,
      url,
      snippet: content,
      ...(published ? { published } : {}),
    })),
};
