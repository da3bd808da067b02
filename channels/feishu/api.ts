import { z } from 'zod';
import { AntlerError } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { FeishuConfig } from './config.ts';
import { feishuError, isTokenRefusal, unanswered } from './errors.ts';
import { CALL_TIMEOUT_MS } from './limits.ts';
import { createHttp, createTokenCache, quietLogger, type Sdk } from './sdk.ts';

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
  close(): void;
}

/** Opens nothing yet. Of the SDK only its client is used: it signs calls with the tenant's token. */
export function createApi(sdk: Sdk, config: FeishuConfig, log: Logger): OpenApi {
  const { http, close } = createHttp(sdk);
  const tokens = createTokenCache(sdk);
  const client = new sdk.Client({
    appId: config.app_id,
    appSecret: config.app_secret,
    domain: config.domain.replace(/\/+$/, ''),
    httpInstance: http,
    cache: tokens.cache,
    logger: quietLogger(log),
  });
  const withToken = singleFlight(() => client.tokenManager.getTenantAccessToken());

  async function attempt(method: HttpMethod, path: string, options: CallOptions): Promise<unknown> {
    const { query, body, signal, timeoutMs = CALL_TIMEOUT_MS, idempotent = false } = options;
    if (signal?.aborted) throw new AntlerError('cancelled', `${method} ${path} was cancelled.`);
    try {
      await withToken();
    } catch (thrown) {
      throw feishuError(thrown, { idempotent: true }); // nothing but a token was asked for yet
    }
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    try {
      return await client.request({ method, url: `/open-apis${path}`, params: query, data: body, signal: either });
    } catch (thrown) {
      if (signal?.aborted && idempotent) throw new AntlerError('cancelled', 'A call to Feishu was cancelled.');
      if (either.aborted) throw unanswered('Feishu did not answer in time.', { idempotent });
      throw feishuError(thrown, { idempotent });
    }
  }

  return {
    async call(method, path, options = {}) {
      try {
        return await attempt(method, path, options);
      } catch (error) {
        if (!isTokenRefusal(error)) throw error;
        tokens.clear(); // revoked before its time; the call itself was not looked at
        return attempt(method, path, options);
      }
    },
    close,
  };
}

/** Callers that come while it runs wait for the same run: the SDK would fetch a token for each. */
function singleFlight<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
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
