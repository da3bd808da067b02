import { Agent } from 'node:https';
import { z } from 'zod';
import { AntlerError } from '../../src/base/errors.ts';
import { safeFileName } from '../../src/format/safe-name.ts';
import { type Download, downloader } from './download.ts';
import { telegramError, unanswered } from './errors.ts';
import { CALL_TIMEOUT_MS } from './limits.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Making the call twice does no harm. Default: false. */
  readonly idempotent?: boolean;
  /** Goes along as a part of its own. */
  readonly upload?: Upload;
}

/** A file as a parameter of a call. */
export interface Upload {
  /** The parameter's name, e.g. `photo`. */
  readonly field: string;
  readonly name: string;
  readonly content: Uint8Array;
}

/** The Bot API, as far as every other file of the adapter is concerned. */
export interface BotApi {
  /**
   * @returns what the API calls `result`
   * @throws AntlerError `cancelled` when `signal` aborts, and all that {@link telegramError} knows
   */
  call(method: string, payload: object, options?: CallOptions): Promise<unknown>;
  readonly download: Download;
}

/** Who the bot is. */
export interface BotIdentity {
  readonly id: number;
  readonly username: string;
}

/** telegraf knows the methods up to Bot API 7.1 by name; this is the part of it that takes any. */
interface Client {
  callApi(method: string, payload: object, options: { signal: AbortSignal }): Promise<unknown>;
}

/**
 * Idle connections are given up after this long, well before Telegram's servers do: a request written to a connection
 * that the other side is closing would be lost without a trace.
 */
const IDLE_CONNECTION_MS = 15_000;

/**
 * Opens nothing yet. telegraf is used as the API's client alone; it is loaded here, so only once a channel needs it.
 * `HTTPS_PROXY` and `NO_PROXY` count, for the many networks from which Telegram cannot be reached directly.
 */
export async function createApi(token: string, apiRoot: string): Promise<BotApi> {
  const { Telegraf } = await import('telegraf');
  // Without the slash at its end, the last part of the path would be replaced instead of prolonged.
  const root = apiRoot.endsWith('/') ? apiRoot : `${apiRoot}/`;
  const agent = new Agent({ keepAlive: true, timeout: IDLE_CONNECTION_MS, proxyEnv: process.env });
  const bot = new Telegraf(token, { telegram: { apiRoot: root, webhookReply: false, agent } });
  const client = bot.telegram as unknown as Client;

  return {
    async call(method, payload, { signal, timeoutMs = CALL_TIMEOUT_MS, idempotent = false, upload } = {}) {
      if (signal?.aborted) throw new AntlerError('cancelled', `${method} was cancelled.`);
      const timeout = AbortSignal.timeout(timeoutMs);
      const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
      const body = upload === undefined ? payload : multipart(payload, upload);
      try {
        return await client.callApi(method, body, { signal: either });
      } catch (thrown) {
        if (signal?.aborted && idempotent) throw new AntlerError('cancelled', `${method} was cancelled.`);
        if (either.aborted) throw unanswered(`Telegram did not answer ${method} in time.`, idempotent);
        throw telegramError(thrown, { idempotent });
      }
    },
    download: downloader({ token, root, agent }),
  };
}

/**
 * Beside a file, telegraf drops parameters that are objects, and one with a `url` or `source` it would even fetch or
 * read itself. So every other parameter goes as text, which the Bot API takes as well. It writes the file's name into a
 * header between quotes as it is; a safe name has nothing that would end them.
 */
function multipart(payload: object, { field, name, content }: Upload): object {
  const texts = Object.entries(payload).map(([key, value]) => [
    key,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
  const source = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return { ...Object.fromEntries(texts), [field]: { source, filename: safeFileName(name, field) } };
}

const identityShape = z.object({ id: z.int(), username: z.string().default('') });

/** Asks Telegram who the bot is. */
export async function fetchIdentity(api: BotApi, signal?: AbortSignal): Promise<BotIdentity> {
  const identity = identityShape.safeParse(await api.call('getMe', {}, { signal, idempotent: true }));
  if (!identity.success) throw new AntlerError('unavailable', 'What answers at api_root is not the Bot API.');
  return identity.data;
}
