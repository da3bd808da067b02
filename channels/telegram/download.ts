import { type FileHandle, open, realpath } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type Agent, request as requestHttps } from 'node:https';
import { isAbsolute } from 'node:path';
import { AntlerError } from '../../src/base/errors.ts';
import { collectBytes } from '../../src/base/http.ts';
import { telegramError } from './errors.ts';
import { DOWNLOAD_STALL_MS } from './limits.ts';

export interface DownloadOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Fetches what `getFile` calls `file_path`.
 * @throws AntlerError `too_large` as soon as there is more than `maxBytes`, `not_found`, `cancelled`, `unavailable`
 */
export type Download = (path: string, options: DownloadOptions) => Promise<Uint8Array>;

export interface DownloaderOptions {
  readonly token: string;
  /** With a slash at its end. */
  readonly root: string;
  readonly agent: Agent;
}

/** Redirects that are followed in a row; a server that files have moved on needs one. */
const REDIRECTS_MAX = 3;

/** The address of a file holds the token, so it is in no error, and no other host ever gets to see it. */
export function downloader({ token, root, agent }: DownloaderOptions): Download {
  return async (path, options) => {
    if (!isAbsolute(path)) return fetchBytes(path, options);
    // A server run with `--local` names files on its own disk: https://core.telegram.org/bots/api#using-a-local-bot-api-server
    const inFolder = pathBehind(token, path);
    if (inFolder === undefined) throw new AntlerError('unavailable', STRANGE_PATH);
    return (await readLocal(path, token, options)) ?? (await fetchBytes(inFolder, options));
  };

  async function fetchBytes(path: string, { maxBytes, signal }: DownloadOptions): Promise<Uint8Array> {
    const parts = path.split('/');
    if (parts.some((part) => part === '..' || part === '.')) throw new AntlerError('unavailable', STRANGE_PATH);
    let url = new URL(`file/bot${token}/${parts.map(encodeURIComponent).join('/')}`, root);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const response = await get(url, agent, signal);
      const location = response.headers.location;
      const status = response.statusCode ?? 0;
      if (status < 300 || status >= 400 || location === undefined) {
        if (isPage(response) && !/\.html?$/i.test(path)) throw notTheFile(response);
        return bytesOf(response, maxBytes, signal);
      }
      response.destroy();
      url = sameHost(location, url);
    }
    throw new AntlerError('unavailable', 'The file’s address at api_root leads in a circle.');
  }
}

const STRANGE_PATH = 'The server at api_root names a file where it cannot be fetched from.';

async function get(url: URL, agent: Agent, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'accept-encoding': 'identity' };
  const request =
    url.protocol === 'https:'
      ? requestHttps(url, { agent, headers, signal })
      : requestHttp(url, { agent: false, headers, signal });
  request.setTimeout(DOWNLOAD_STALL_MS, () => request.destroy(new Error('nothing came for too long')));
  request.on('response', resolve).on('error', reject).end();
  try {
    return await promise;
  } catch (thrown) {
    throw failed(thrown, signal);
  }
}

/** Only to the host that knows the token anyway, and not from https to http. */
function sameHost(location: string, from: URL): URL {
  const to = URL.parse(location, from);
  const isSafe = to?.hostname === from.hostname && (to.protocol === 'https:' || to.protocol === from.protocol);
  if (to === null || !isSafe)
    throw new AntlerError('unavailable', 'The file’s address at api_root leads to another host.');
  return to;
}

/** Telegram hands out bytes; a page in their place is that of a proxy or of a network that wants somebody to log in. */
const isPage = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 && (headers['content-type'] ?? '').trim().toLowerCase().startsWith('text/html');

function notTheFile(response: IncomingMessage): AntlerError {
  response.destroy();
  return new AntlerError('unavailable', 'A web page came instead of the file.', { retryable: true });
}

async function bytesOf(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const status = response.statusCode ?? 0;
  if (status !== 200) {
    response.destroy();
    throw refused(status);
  }
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    return await collectBytes(response, maxBytes);
  } catch (thrown) {
    response.destroy();
    throw failed(thrown, signal);
  }
}

function refused(status: number): AntlerError {
  if (status === 404 || status === 410)
    return new AntlerError('not_found', 'Telegram does not have the file any more.');
  if (status === 401 || status === 403) return new AntlerError('unauthorized', 'Telegram does not hand out the file.');
  return new AntlerError('unavailable', `Telegram answers ${status} instead of the file.`, { retryable: true });
}

function failed(thrown: unknown, signal: AbortSignal): AntlerError {
  if (signal.aborted) return new AntlerError('cancelled', 'The download was cancelled.');
  return telegramError(thrown, { idempotent: true });
}

const tooLarge = (maxBytes: number): AntlerError =>
  new AntlerError('too_large', `The file is larger than ${maxBytes} bytes.`);

/** The server keeps each bot's files in a folder named after its token; `:` is not possible everywhere. */
function pathBehind(token: string, path: string): string | undefined {
  const parts = path.split(/[\\/]/);
  const folder = parts.findIndex((part) => part === token || part === token.replace(':', '~'));
  return folder === -1 ? undefined : parts.slice(folder + 1).join('/');
}

/**
 * Reads a file of a Bot API server on the same machine; undefined where that one's disk is not ours. Nothing outside
 * of the bot's own folder is read, whatever the server says and wherever links lead.
 */
async function readLocal(
  path: string,
  token: string,
  { maxBytes, signal }: DownloadOptions,
): Promise<Uint8Array | undefined> {
  let file: FileHandle;
  try {
    const real = await realpath(path);
    if (pathBehind(token, real) === undefined) throw new AntlerError('unavailable', STRANGE_PATH);
    file = await open(real, 'r');
  } catch (thrown) {
    if (thrown instanceof AntlerError) throw thrown;
    return undefined;
  }
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw tooLarge(maxBytes);
    return await file.readFile({ signal });
  } catch (thrown) {
    throw failed(thrown, signal);
  } finally {
    await file.close();
  }
}
