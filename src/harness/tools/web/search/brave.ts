import { z } from 'zod';
import type { SearchProvider } from './port.ts';

const answerSchema = z.object({
  // Left out when nothing was found.
  web: z
    .object({
      results: z.array(
        z.object({
          title: z.string(),
          url: z.string(),
          description: z.string().default(''),
          page_age: z.string().nullish(),
          age: z.string().nullish(),
        }),
      ),
    })
    .nullish(),
});

const FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;

/** Those of its own list that differ from the language's code, and those that are the same; others are refused. */
const OWN_LANGUAGES: Readonly<Record<string, string>> = {
  zh: 'zh-hans',
  'zh-tw': 'zh-hant',
  'zh-hk': 'zh-hant',
  ja: 'jp',
  pt: 'pt-pt',
  'pt-br': 'pt-br',
  'en-gb': 'en-gb',
};
const LANGUAGES = new Set(
  'ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv ta te th tr uk vi'.split(
    ' ',
  ),
);

function languageOf(tag: string): string | undefined {
  const [whole, base = ''] = [tag.toLowerCase(), tag.toLowerCase().split('-')[0]];
  return OWN_LANGUAGES[whole] ?? OWN_LANGUAGES[base] ?? (LANGUAGES.has(base) ? base : undefined);
}

/** https://api-dashboard.search.brave.com/app/documentation/web-search/query */
export const brave: SearchProvider = {
  title: 'Brave',
  baseUrl: 'https://api.search.brave.com',
  statuses: { 402: { code: 'no_credit', why: 'the plan of the key is used up' } },
  request: ({ text, count, freshness, language }, { baseUrl, apiKey }) => {
    const query = new URLSearchParams({ q: text, count: String(count) });
    if (freshness !== undefined) query.set('freshness', FRESHNESS[freshness]);
    const known = language === undefined ? undefined : languageOf(language);
    if (known !== undefined) query.set('search_lang', known);
    return {
      url: `${baseUrl}/res/v1/web/search?${query}`,
      headers: { accept: 'application/json', 'x-subscription-token': apiKey },
    };
  },
  hits: (answer) =>
    (answerSchema.parse(answer).web?.results ?? []).map(({ title, url, description, page_age, age }) => {
      const published = page_age ?? age ?? '';
      return { title, url, snippet: description, ...(published === '' ? {} : { published }) };
    }),
};
