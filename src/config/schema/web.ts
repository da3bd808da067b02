import { z } from 'zod';
import { parseAllowed } from '../../net/allowed.ts';
import { filledText, httpUrl } from './text.ts';

/** What is reached of the network where a person or a model chooses the address. */
export const netSchema = z.object({
  /** Services outside of the public internet that are reached all the same. */
  allow_private: z
    .array(
      filledText.refine(
        (entry) => parseAllowed(entry) !== null,
        'expected an address, a network or a host, such as 10.0.0.5:8888, 10.0.0.0/24, [fd00::1]:8080 or wiki.lan',
      ),
    )
    .default([]),
});

const searchSchema = z
  .object({
    /** Absent: there is no search. */
    provider: z.enum(['tavily', 'searxng', 'brave', 'bocha']).optional(),
    api_key: z.string().default('').meta({ secret: true }),
    /** Absent: the provider's own. */
    base_url: httpUrl.optional(),
    /** Unless the model asks for another number. */
    max_results: z.int().min(1).max(20).default(5),
  })
  .check(({ value, issues }) => {
    const { provider, api_key, base_url } = value;
    const missing = (key: string, what: string): void =>
      void issues.push({ code: 'custom', path: [key], message: `missing; expected ${what}`, input: value });
    if (provider === 'searxng' && base_url === undefined) missing('base_url', 'the address of your SearXNG');
    if (provider !== undefined && provider !== 'searxng' && api_key === '')
      missing('api_key', `your key of ${provider}`);
  });

export const webSchema = z.object({
  fetch: z
    .object({
      enabled: z.boolean().default(true),
      /** Larger pages and documents are not read, in megabytes. */
      max_mb: z.number().positive().max(50).default(10),
      user_agent: z
        .string()
        .regex(/^[\x20-\x7e]{1,200}$/, 'expected plain ASCII')
        .default('Mozilla/5.0 (compatible; Antler)'),
    })
    .prefault({}),
  search: searchSchema.prefault({}),
});
