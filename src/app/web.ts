import type { Config } from '../config/schema/config.ts';
import type { DocumentConverter } from '../harness/documents/index.ts';
import type { ToolSource } from '../harness/tools/port.ts';
import { webSource } from '../harness/tools/web/index.ts';
import { parseAllowed } from '../net/allowed.ts';

/** The tools that reach the web, as the configuration has them. */
export function webSourceOf({ net, web }: Pick<Config, 'net' | 'web'>, converter: DocumentConverter): ToolSource {
  const { provider, api_key: apiKey, base_url: baseUrl, max_results: maxResults } = web.search;
  return webSource({
    converter,
    allowed: net.allow_private.flatMap((entry) => parseAllowed(entry) ?? []),
    userAgent: web.fetch.user_agent,
    fetch: web.fetch.enabled ? { maxBytes: web.fetch.max_mb * 1_000_000 } : null,
    search:
      provider === undefined ? null : { provider, apiKey, maxResults, ...(baseUrl === undefined ? {} : { baseUrl }) },
  });
}
