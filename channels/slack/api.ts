import type { webApi } from '@slack/bolt';
import { z } from 'zod';
import { AntlerError } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { SlackConfig } from './config.ts';
import { appTokenError, slackError } from './errors.ts';
import { CALL_TIMEOUT_MS } from './limits.ts';
import { sdkLogger } from './sdk-logger.ts';
import { type ClientOptions, openSocket, type SocketSdk } from './transport/sdk-socket.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Making the call twice does no harm. Default: false. */
  readonly idempotent?: boolean;
}

/** Slack, as far as every other file of the adapter is concerned. */
export interface SlackApi {
  /**
   * @returns Slack's answer, which is `ok`
   * @throws AntlerError `cancelled` when `signal` aborts, and all that {@link slackError} knows
   */
  call(method: string, args: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<unknown>;
  /** @throws AntlerError when Slack opens no socket to this app-level token */
  checkAppToken(signal?: AbortSignal): Promise<void>;
  /** A client of Socket Mode, not started; for one connection. */
  socket(signal: AbortSignal): SocketSdk;
  /** Sends JSON to an address that Slack has given us; true when it was taken. */
  respond(url: string, body: object): Promise<boolean>;
}

/** Who the bot is. */
export interface BotIdentity {
  readonly userId: string;
  readonly botId: string;
  /** The workspace; the organisation of an app that is installed in a whole one. */
  readonly teamId: string;
  readonly name: string;
  readonly team: string;
}

/**
 * Opens nothing yet. Of Bolt, its Web API client and its Socket Mode client are used; its own receivers acknowledge
 * events before anybody has stored them. The SDK is loaded here, so only once a channel needs it.
 */
export async function createApi(config: SlackConfig, log: Logger): Promise<SlackApi> {
  const bolt = await import('@slack/bolt');
  const logger = sdkLogger(log, bolt.LogLevel.ERROR);

  const fetchUntil =
    (signal: AbortSignal | undefined): typeof fetch =>
    (input, init) =>
      fetch(input, { ...init, signal: either(signal, init?.signal ?? undefined) });
  /**
   * Options of one client's own: the SDK writes into what it is given. It may neither repeat a call, since that can say
   * a message twice, nor hold back all calls when one is limited.
   */
  const options = (signal?: AbortSignal, timeoutMs = CALL_TIMEOUT_MS): ClientOptions => ({
    slackApiUrl: config.api_root,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeoutMs,
    fetch: fetchUntil(signal),
    allowAbsoluteUrls: false,
    logger,
  });
  const common = new bolt.webApi.WebClient(config.bot_token, options());
  const clientFor = ({ signal, timeoutMs }: CallOptions): webApi.WebClient =>
    signal === undefined && timeoutMs === undefined
      ? common
      : new bolt.webApi.WebClient(config.bot_token, options(signal, timeoutMs));

  return {
    async call(method, args, callOptions = {}) {
      const { signal, idempotent = false } = callOptions;
      if (signal?.aborted) throw new AntlerError('cancelled', 'The call to Slack was called off.');
      try {
        return await clientFor(callOptions).apiCall(method, args);
      } catch (thrown) {
        const error = slackError(thrown, { idempotent });
        if (signal?.aborted && error.code !== 'uncertain') {
          throw new AntlerError('cancelled', 'The call to Slack was called off.', { cause: error });
        }
        throw error;
      }
    },
    async checkAppToken(signal) {
      const client = new bolt.webApi.WebClient(config.app_token, options(signal));
      try {
        await client.apiCall('apps.connections.open');
      } catch (thrown) {
        throw appTokenError(thrown);
      }
    },
    socket: (signal) => openSocket(bolt, { appToken: config.app_token ?? '', clientOptions: options(signal), logger }),
    async respond(url, body) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      await response.body?.cancel();
      return response.ok;
    },
  };
}

function either(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | null {
  if (one === undefined) return other ?? null;
  return other === undefined ? one : AbortSignal.any([one, other]);
}

const identityShape = z.looseObject({
  user_id: z.string(),
  bot_id: z.string().catch(''),
  team_id: z.string(),
  user: z.string().catch(''),
  team: z.string().catch(''),
  response_metadata: z.looseObject({ scopes: z.array(z.string()).catch([]) }).catch({ scopes: [] }),
});

/** Asks Slack who the bot is, and what the app may do. */
export async function fetchIdentity(
  api: SlackApi,
  signal?: AbortSignal,
): Promise<BotIdentity & { readonly scopes: readonly string[] }> {
  const answer = identityShape.safeParse(await api.call('auth.test', {}, { signal, idempotent: true }));
  if (!answer.success) throw new AntlerError('unavailable', 'Slack’s answer names no bot.', { retryable: true });
  const { user_id: userId, bot_id: botId, team_id: teamId, user: name, team, response_metadata: meta } = answer.data;
  return { userId, botId, teamId, name, team, scopes: meta.scopes };
}
