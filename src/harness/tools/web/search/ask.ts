import { ZodError } from 'zod';
import { AntlerError } from '../../../../base/errors.ts';
import { parseJson } from '../../../../base/http.ts';
import type { Net, NetResponse } from '../../../../net/port.ts';
import type { SearchAccount, SearchHit, SearchProvider, SearchQuery } from './port.ts';

const MAX_ANSWER_BYTES = 4_000_000;
const TIMEOUT_MS = 20_000;

/**
 * Asks a provider. What it says of an error is not passed on: some repeat the key.
 * @throws AntlerError `unauthorized`, `no_credit`, `rate_limited`, `config_invalid`, `bad_input`, `unavailable`, and
 * those of {@link Net.send}.
 */
export async function askProvider(
  net: Net,
  provider: SearchProvider,
  account: SearchAccount,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<readonly SearchHit[]> {
  const answer = await net.send({
    ...provider.request(query, account),
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: TIMEOUT_MS,
    maxRedirects: 0,
    signal,
  });
  if (answer.status !== 200) throw refusal(provider, answer);
  try {
    return provider.hits(parseJson(answer.body));
  } catch (thrown) {
    if (!(thrown instanceof ZodError || thrown instanceof AntlerError)) throw thrown;
    throw new AntlerError('unavailable', `${provider.title} answered with something that is no search result`);
  }
}

function refusal({ title, statuses }: SearchProvider, { status, retryAfterMs }: NetResponse): AntlerError {
  const own = statuses?.[status];
  if (own !== undefined) return new AntlerError(own.code, `${title} refuses to search: ${own.why}`);
  switch (status) {
    case 400:
    case 422:
      return new AntlerError('bad_input', `${title} did not understand the query; write it in a few plain words`);
    case 401:
    case 403:
      return new AntlerError('unauthorized', `${title} refuses the key that is configured (HTTP ${status})`);
    case 429: {
      const wait = retryAfterMs === undefined ? '' : `, for ${Math.ceil(retryAfterMs / 1_000)} s`;
      return new AntlerError(
        'rate_limited',
        `${title} asks to wait${wait}`,
        retryAfterMs === undefined ? {} : { retryAfterMs },
      );
    }
    default:
      return new AntlerError('unavailable', `${title} does not answer as it should (HTTP ${status})`);
  }
}
