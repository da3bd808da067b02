import type { Clock } from '../../../src/base/clock.ts';
import { fileNameIn } from '../../../src/base/disposition.ts';
import { AntlerError } from '../../../src/base/errors.ts';
import { collectBytes, isPage } from '../../../src/base/http.ts';
import { property } from '../../../src/base/property.ts';
import type { ChannelState, FetchedFile, FetchOptions } from '../../../src/channel/port.ts';
import { safeFileName } from '../../../src/format/safe-name.ts';
import { httpError, isTokenRefusal, networkError, refusal } from '../errors.ts';
import { ANSWER_MAX_BYTES, CALL_TIMEOUT_MS, MEDIA_TIMEOUT_MS } from '../limits.ts';
import { postJson, readAnswer } from '../post-json.ts';
import { Tokens } from './token.ts';

export interface CallOptions {
  readonly query?: Readonly<Record<string, string>>;
  /** Posted as JSON; without one it is a GET. */
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Making the call twice does no harm. Default: false. */
  readonly idempotent?: boolean;
}

/** WeCom's API, as far as every other file of the adapter is concerned. */
export interface AppApi {
  /** @throws WecomError; AntlerError `uncertain`, `unavailable`, `cancelled` */
  call(path: string, options?: CallOptions): Promise<unknown>;
  /** Posts a file. What nobody refers to is gone in three days, so it may be repeated. */
  upload(type: string, form: () => FormData, signal?: AbortSignal): Promise<unknown>;
  /** Fetches what people have sent, at most `maxBytes` of it. */
  download(mediaId: string, fallbackName: string, options: FetchOptions): Promise<FetchedFile>;
}

export interface ApiOptions {
  readonly root: string;
  readonly corpId: string;
  readonly corpSecret: string;
  readonly agentId: string;
  readonly secrets: ChannelState;
  readonly clock: Pick<Clock, 'now'>;
}

export function createApi({ root, corpId, corpSecret, agentId, secrets, clock }: ApiOptions): AppApi {
  const at = (path: string, query: Readonly<Record<string, string>>): URL => {
    const url = new URL(`cgi-bin/${path}`, root.endsWith('/') ? root : `${root}/`);
    url.search = new URLSearchParams(query).toString();
    return url;
  };
  const tokens = new Tokens({
    fetch: () =>
      postJson(at('gettoken', { corpid: corpId, corpsecret: corpSecret }), undefined, {
        timeoutMs: CALL_TIMEOUT_MS,
        idempotent: true,
      }),
    ...{ secrets, clock, app: `${corpId}/${agentId}`, corpSecret },
  });

  /** A token may be revoked before its time; the call itself was not looked at then. */
  async function withToken<Result>(call: (token: string) => Promise<Result>): Promise<Result> {
    const token = await tokens.get();
    try {
      return await call(token);
    } catch (error) {
      if (!isTokenRefusal(error)) throw error;
      return call(await tokens.get(token));
    }
  }

  return {
    async call(path, { query = {}, body, signal, timeoutMs = CALL_TIMEOUT_MS, idempotent = false } = {}) {
      if (signal?.aborted) throw new AntlerError('cancelled', `${path} was cancelled.`);
      return withToken((token) =>
        postJson(at(path, { ...query, access_token: token }), body, { signal, timeoutMs, idempotent }),
      );
    },

    upload: (type, form, signal) =>
      withToken((token) =>
        readAnswer(
          at('media/upload', { type, access_token: token }),
          { method: 'POST', body: form() },
          { signal, timeoutMs: MEDIA_TIMEOUT_MS, idempotent: true },
        ),
      ),

    download: (mediaId, fallbackName, options) =>
      withToken((token) =>
        readMedia(at('media/get', { media_id: mediaId, access_token: token }), fallbackName, options),
      ),
  };
}

/** Bytes, or the refusal as JSON. */
async function readMedia(url: URL, fallbackName: string, { maxBytes, signal }: FetchOptions): Promise<FetchedFile> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(MEDIA_TIMEOUT_MS)]);
  try {
    const response = await fetch(url, { redirect: 'manual', signal: timeout });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw httpError(response.status, { idempotent: true });
    }
    if (isPage(response)) {
      await response.body?.cancel();
      throw new AntlerError('unavailable', 'A page came instead of the file.', { retryable: true });
    }
    const disposition = response.headers.get('content-disposition');
    const type = response.headers.get('content-type') ?? '';
    if (disposition === null && /json|text\/plain/i.test(type)) {
      const bytes = await collectBytes(response.body ?? [], ANSWER_MAX_BYTES);
      throw refusedMedia(bytes);
    }
    const content = await collectBytes(response.body ?? [], maxBytes);
    const mime = type.split(';')[0]?.trim() ?? '';
    const name = safeFileName(fileNameIn(disposition) ?? '', fallbackName);
    return { content, name, ...(/^(?:image|audio|video)\//.test(mime) ? { mime } : {}) };
  } catch (thrown) {
    if (signal.aborted) throw new AntlerError('cancelled', 'The download was cancelled.');
    throw networkError(thrown, { idempotent: true });
  }
}

function refusedMedia(bytes: Buffer): AntlerError {
  try {
    const code = property(JSON.parse(bytes.toString('utf8')), 'errcode');
    if (typeof code === 'number' && code !== 0) return refusal(code, '');
  } catch {
    // what answers is no refusal
  }
  return new AntlerError('not_found', 'WeCom does not hand out the file.');
}
