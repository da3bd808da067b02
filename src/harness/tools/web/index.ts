import type { AllowedService } from '../../../net/allowed.ts';
import { parseAllowed } from '../../../net/allowed.ts';
import { createNet } from '../../../net/index.ts';
import type { Resolve } from '../../../net/resolve.ts';
import type { DocumentConverter } from '../../documents/index.ts';
import type { Tool, ToolSource } from '../port.ts';
import { createRegistry } from '../registry.ts';
import { registrySource } from '../sources.ts';
import { WEB_FETCH, webFetch } from './fetch/web-fetch.ts';
import { type SearchProviderName, searchProviders } from './search/providers.ts';
import { WEB_SEARCH, webSearch } from './search/web-search.ts';

/** The names of the tools that there may be. */
export const webToolNames: readonly string[] = [WEB_SEARCH, WEB_FETCH];

export interface WebOptions {
  /** Services that are reached although they are not on the public internet. */
  readonly allowed: readonly AllowedService[];
  readonly userAgent: string;
  /** Null: pages are not fetched. */
  readonly fetch: { readonly maxBytes: number } | null;
  /** Null: there is no search. */
  readonly search: {
    readonly provider: SearchProviderName;
    readonly apiKey: string;
    /** Default: the provider's own. */
    readonly baseUrl?: string;
    readonly maxResults: number;
  } | null;
  /** The process's one reader of documents. */
  readonly converter: DocumentConverter;
  /** Default: as the machine does. */
  readonly resolve?: Resolve;
}

/** The tools that reach the web, as an installation has them. */
export function webSource(options: WebOptions): ToolSource {
  return registrySource('web', createRegistry([...searchTools(options), ...fetchTools(options)]));
}

function fetchTools({ fetch, converter, ...net }: WebOptions): readonly Tool[] {
  if (fetch === null) return [];
  return [webFetch({ net: createNet(net), converter, maxBytes: fetch.maxBytes })];
}

function searchTools({ search, allowed, ...net }: WebOptions): readonly Tool[] {
  if (search === null) return [];
  const provider = searchProviders[search.provider];
  const baseUrl = (search.baseUrl ?? provider.baseUrl ?? '').replace(/\/+$/, '');
  // Who configures a service means it to be reached, wherever it is; pages that the model chooses are another matter.
  const own = search.baseUrl === undefined ? [] : [serviceOf(search.baseUrl)];
  return [
    webSearch({
      net: createNet({ ...net, allowed: [...allowed, ...own.filter((service) => service !== null)] }),
      provider,
      account: { baseUrl, apiKey: search.apiKey },
      maxResults: search.maxResults,
    }),
  ];
}

function serviceOf(baseUrl: string): AllowedService | null {
  const { hostname, port, protocol } = new URL(baseUrl);
  return parseAllowed(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
}
