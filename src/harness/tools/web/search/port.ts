import type { ErrorCode } from '../../../../base/errors.ts';
import type { NetRequest } from '../../../../net/port.ts';

export type Freshness = 'day' | 'week' | 'month' | 'year';

export interface SearchQuery {
  readonly text: string;
  readonly count: number;
  /** No older than this. */
  readonly freshness?: Freshness;
  /** BCP 47, e.g. `en` or `zh-CN`. */
  readonly language?: string;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  /** May hold HTML. */
  readonly snippet: string;
  /** As the provider writes it. */
  readonly published?: string;
}

export interface SearchAccount {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** A service that searches the web, as the shapes of its requests and answers. */
export interface SearchProvider {
  /** For people. */
  readonly title: string;
  /** Null: there is none, each installation has its own. */
  readonly baseUrl: string | null;
  request(query: SearchQuery, account: SearchAccount): Pick<NetRequest, 'url' | 'method' | 'headers' | 'body'>;
  /** @throws ZodError when the answer has another shape. */
  hits(answer: unknown): readonly SearchHit[];
  /** What a status means that means something else than usual. */
  readonly statuses?: Readonly<Record<number, { readonly code: ErrorCode; readonly why: string }>>;
}
