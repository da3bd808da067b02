import { z } from 'zod';
import { AntlerError } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { FetchedFile, FetchOptions } from '../../src/channel/port.ts';
import { singleFlight } from '../../src/channel/single-flight.ts';
import type { FeishuConfig } from './config.ts';
import { readDownload, type Streamed } from './download.ts';
import { feishuError, isTokenRefusal, unanswered } from './errors.ts';
import { CALL_TIMEOUT_MS, MEDIA_TIMEOUT_MS } from './limits.ts';
import { createHttp, createTokenCache, type HttpCall, quietLogger, type Sdk } from './sdk.ts';

export interface CallOptions {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Making the call twice does no harm. Default: false. */
  readonly idempotent?: boolean;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The open API, as far as every other file of the adapter is concerned. */
export interface OpenApi {
  /**
   * @param path below `/open-apis`, ids already encoded
   * @returns the whole body of an answer with code 0
   * @throws FeishuError for refusals; AntlerError `cancelled` when `signal` aborts, `uncertain`, `unavailable`
   */
  call(method: HttpMethod, path: string, options?: CallOptions): Promise<unknown>;
  /** Posts a form with a file in it. Rejects as a call does that may be made twice: an upload that nobody uses is gone. */
  upload(path: string, form: FormData, signal?: AbortSignal): Promise<unknown>;
  /** Fetches bytes, at most `maxBytes` of them. Rejects as `call` does, and with `too_large`. */
  download(path: string, query: Readonly<Record<string, string>>, options: FetchOptions): Promise<FetchedFile>;
  close(): void;
}

/** Of the SDK its tokens and its HTTP client are used; its own upload of files leaves out their names. */
export function createApi(sdk: Sdk, config: FeishuConfig, log: Logger): OpenApi {
  const { http, axios, close } = createHttp(sdk);
  const domain = config.domain.replace(/\/+$/, '');
  const tokens = createTokenCache(sdk);
  const client = new sdk.Client({
    appId: config.app_id,
    appSecret: config.app_secret,
    domain,
    httpInstance: http,
    cache: tokens.cache,
    logger: quietLogger(log),
  });
  // The SDK would fetch a token for each call that comes while there is none.
  const fetchToken = singleFlight(() => client.tokenManager.getTenantAccessToken());
  /** The token that is used now; one that was refused is dropped once, however many calls it was refused to. */
  let current: string | undefined;

  async function send<Result>(request: Request<Result>): Promise<Result> {
    try {
      return await attempt(request);
    } catch (error) {
      if (!isTokenRefusal(error)) throw error;
      return attempt(request); // revoked before its time; the call itself was not looked at
    }
  }

  async function attempt<Result>({ call, take, ...options }: Request<Result>): Promise<Result> {
    const { signal, timeoutMs, idempotent } = options;
    if (signal?.aborted) throw new AntlerError('cancelled', `${call.method} ${call.url} was cancelled.`);
    const token = await freshToken();
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const headers = { authorization: `Bearer ${token}` };
    try {
      const url = `${domain}/open-apis${call.url}`;
      const answer: unknown = await axios.request({ ...call, headers, url, timeout: timeoutMs, signal: either });
      return await take(answer);
    } catch (thrown) {
      if (signal?.aborted && idempotent) throw new AntlerError('cancelled', 'A call to Feishu was cancelled.');
      if (either.aborted) throw unanswered('Feishu did not answer in time.', { idempotent });
      const error = feishuError(thrown, { idempotent });
      if (isTokenRefusal(error) && current === token) {
        current = undefined;
        tokens.clear();
      }
      throw error;
    }
  }

  async function freshToken(): Promise<string> {
    try {
      current = await fetchToken();
    } catch (thrown) {
      throw feishuError(thrown, { idempotent: true }); // nothing but a token was asked for yet
    }
    if (current === undefined) throw new AntlerError('unauthorized', 'Feishu issues no token.');
    return current;
  }

  return {
    call: (method, path, { query, body, signal, timeoutMs = CALL_TIMEOUT_MS, idempotent = false } = {}) =>
      send({ call: { method, url: path, params: query, data: body }, signal, timeoutMs, idempotent, take: asItIs }),
    upload: (path, form, signal) =>
      send({
        call: { method: 'POST', url: path, data: form },
        ...{ signal, timeoutMs: MEDIA_TIMEOUT_MS, idempotent: true, take: asItIs },
      }),
    download: (path, query, { maxBytes, signal }) =>
      send({
        call: { method: 'GET', url: path, params: query, responseType: 'stream', validateStatus: null },
        ...{ signal, timeoutMs: MEDIA_TIMEOUT_MS, idempotent: true },
        take: (answer) => readDownload(answer as Streamed, maxBytes), // as `createHttp` leaves streams
      }),
    close,
  };
}

const asItIs = (answer: unknown): unknown => answer;

interface Request<Result> extends Required<Pick<CallOptions, 'timeoutMs' | 'idempotent'>> {
  /** `url`: the path below `/open-apis`. */
  readonly call: HttpCall;
  readonly signal: AbortSignal | undefined;
  /** Reads the answer, as a part of the call: while it reads, the call can still fail, end or be cancelled. */
  readonly take: (answer: unknown) => Promise<Result> | Result;
}

export interface BotIdentity {
  readonly openId: string;
  readonly appId: string;
  readonly name: string;
}

const botShape = z.object({ bot: z.object({ open_id: z.string(), app_name: z.string().catch('') }) });

/** Asks Feishu who the bot is. */
export async function fetchIdentity(api: OpenApi, appId: string, signal?: AbortSignal): Promise<BotIdentity> {
  const found = botShape.safeParse(await api.call('GET', '/bot/v3/info', { signal, idempotent: true }));
  if (!found.success) throw new AntlerError('unavailable', 'What answers at domain is not Feishu’s open platform.');
  return { openId: found.data.bot.open_id, appId, name: found.data.bot.app_name };
}
