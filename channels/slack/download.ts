import { AntlerError } from '../../src/base/errors.ts';
import { collectBytes } from '../../src/base/http.ts';
import type { FetchOptions } from '../../src/channel/port.ts';
import type { SlackConfig } from './config.ts';
import { slackError } from './errors.ts';

export interface Downloaded {
  readonly content: Buffer;
  readonly mime: string | undefined;
}

/**
 * Fetches the bytes at an address that Slack has named.
 * @throws AntlerError `too_large`, `not_found`, `forbidden` when Slack wants somebody to sign in, `unsupported` for what
 * does not lie with Slack
 */
export type Download = (url: string, options: FetchOptions) => Promise<Downloaded>;

const REDIRECTS_MAX = 4;

const SIGN_IN =
  'Slack asks to sign in instead of handing out the file: the app lacks files:read, or the bot may not see the file. Add files:read under OAuth & Permissions and install the app again.';

/** The token goes to Slack's own hosts and to nobody else, wherever an address or a redirect leads. */
export function downloader({
  bot_token: token,
  api_root: root,
  files_host: filesHost,
}: Pick<SlackConfig, 'bot_token' | 'api_root' | 'files_host'>): Download {
  const api = new URL(root);
  const hosts = new Set([api.host, filesHost ?? `files.${api.host}`]);
  const isOwn = (url: URL): boolean => url.protocol === api.protocol && hosts.has(url.host);

  return async (address, { maxBytes, signal }) => {
    let url = URL.parse(address);
    if (url === null || !isOwn(url)) throw new AntlerError('unsupported', 'The file does not lie with Slack.');
    try {
      for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
        const headers = isOwn(url) ? { authorization: `Bearer ${token}` } : {};
        const response = await fetch(url, { headers, redirect: 'manual', signal });
        const location = response.headers.get('location');
        if (response.status < 300 || response.status >= 400 || location === null) return await read(response, maxBytes);
        await response.body?.cancel();
        url = next(location, url);
      }
    } catch (thrown) {
      if (signal.aborted) throw new AntlerError('cancelled', 'The download was called off.');
      throw slackError(thrown, { idempotent: true });
    }
    throw new AntlerError('unavailable', 'The file’s address leads in a circle.');
  };
}

function next(location: string, from: URL): URL {
  const to = URL.parse(location, from);
  if (to === null || (to.protocol !== 'https:' && to.protocol !== from.protocol)) {
    throw new AntlerError('unavailable', 'The file’s address leads to where nothing can be fetched.');
  }
  if (to.searchParams.has('redir') || /sign-?_?in/i.test(to.pathname)) throw new AntlerError('forbidden', SIGN_IN);
  return to;
}

async function read(response: Response, maxBytes: number): Promise<Downloaded> {
  const size = response.headers.has('content-encoding') ? 0 : Number(response.headers.get('content-length') ?? 0);
  if (response.status !== 200 || size > maxBytes) {
    await response.body?.cancel();
    throw response.status === 200
      ? new AntlerError('too_large', `The file is larger than ${maxBytes} bytes.`)
      : refused(response);
  }
  const content = await collectBytes(response.body ?? [], maxBytes);
  return { content, mime: response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() };
}

function refused({ status, headers }: Response): AntlerError {
  if (status === 404 || status === 410) return new AntlerError('not_found', 'Slack does not have the file any more.');
  if (status === 401 || status === 403) return new AntlerError('forbidden', SIGN_IN);
  if (status === 429) {
    const retryAfterMs = (Number(headers.get('retry-after')) || 1) * 1_000;
    return new AntlerError('rate_limited', 'Slack asks the bot to slow down.', { retryable: true, retryAfterMs });
  }
  return new AntlerError('unavailable', `Slack answers ${status} instead of the file.`, { retryable: true });
}

/** Slack also answers with its sign-in page in the place of the file, and with status 200. */
export const signInAsked = (): AntlerError => new AntlerError('forbidden', SIGN_IN);
