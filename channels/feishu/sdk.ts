import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Cache, HttpInstance, Logger as SdkLogger } from '@larksuiteoapi/node-sdk';
import type { Logger } from '../../src/base/logger.ts';
import { NO_JSON, refusal } from './errors.ts';
import { CALL_TIMEOUT_MS } from './limits.ts';

export type Sdk = typeof import('@larksuiteoapi/node-sdk');

/** The SDK is large (some 90 MB in memory), so it is loaded only once a channel needs it. */
export async function loadSdk(): Promise<Sdk> {
  const loaded: Sdk & { readonly default?: Sdk } = await import('@larksuiteoapi/node-sdk');
  return loaded.default ?? loaded;
}

type Axios = Sdk['defaultHttpInstance'];
export type HttpCall = Parameters<Axios['request']>[0];

export interface Http {
  /** For the SDK. */
  readonly http: HttpInstance;
  /** The same for ourselves: answers are bodies; those of streams have their status and headers beside them. */
  readonly axios: Axios;
  /** Closes the connections that are kept open for the next call. */
  close(): void;
}

/**
 * HTTP for one channel. The SDK's own instance is shared by the whole process and never times out; it also returns
 * refusals, and whatever a proxy says, as if they were answers; here they are thrown. `HTTPS_PROXY` and `NO_PROXY` count.
 */
export function createHttp(sdk: Sdk): Http {
  const httpAgent = new HttpAgent({ keepAlive: true, proxyEnv: process.env });
  const httpsAgent = new HttpsAgent({ keepAlive: true, proxyEnv: process.env });
  const axios = sdk.defaultHttpInstance.create({
    ...{ timeout: CALL_TIMEOUT_MS, httpAgent, httpsAgent, proxy: false },
    maxRedirects: 0, // the platform never redirects, and a token goes nowhere else
  });
  axios.interceptors.response.use((response) => {
    if (response.config.responseType === 'stream') return response;
    const { code, msg } = bodyOf(response.data);
    if (code === 0) return response.data;
    if (code === undefined) throw Object.assign(new Error('no answer of the open API'), { code: NO_JSON });
    throw refusal(code, msg, Number(response.headers['x-ogw-ratelimit-reset']));
  });
  return {
    axios,
    http: axios as unknown as HttpInstance, // the interceptor makes its answers bodies, which its type does not tell
    close: () => {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

function bodyOf(data: unknown): { readonly code: number | undefined; readonly msg: string } {
  const body: Record<string, unknown> = typeof data === 'object' && data !== null ? { ...data } : {};
  return {
    code: typeof body.code === 'number' ? body.code : undefined,
    msg: typeof body.msg === 'string' ? body.msg : '',
  };
}

/** Keeps one client's tokens. The SDK's own cache is shared by the process and knows apps by their id alone. */
export function createTokenCache(sdk: Sdk): { readonly cache: Cache; clear(): void } {
  let kept: Cache = new sdk.DefaultCache();
  return {
    cache: { get: (...query) => kept.get(...query), set: (...entry) => kept.set(...entry) },
    clear: () => {
      kept = new sdk.DefaultCache();
    },
  };
}

/** The SDK logs whole requests, texts and tokens among them; of that, only how often it complains is kept. */
export function quietLogger(log: Logger): SdkLogger {
  const complain = (): void => log.debug({}, 'the Feishu SDK complained');
  const ignore = (): void => {};
  return { error: complain, warn: complain, info: ignore, debug: ignore, trace: ignore };
}
