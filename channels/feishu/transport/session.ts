import type { HttpInstance } from '@larksuiteoapi/node-sdk';
import { AntlerError } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { FeishuConfig } from '../config.ts';
import { feishuError, refusal } from '../errors.ts';
import { CALL_TIMEOUT_MS, CONNECT_TIMEOUT_MS, HANDSHAKE_TIMEOUT_MS, PONG_TIMEOUT_SECONDS } from '../limits.ts';
import { isRecord } from '../normalize/json.ts';
import { quietLogger, type Sdk } from '../sdk.ts';

export interface SessionOptions {
  readonly sdk: Sdk;
  readonly config: FeishuConfig;
  readonly http: HttpInstance;
  readonly log: Logger;
  /** Takes an event in; resolves with the answer to it, rejects to have it delivered again. */
  readonly receive: (event: unknown) => Promise<object>;
  readonly onConnected: () => void;
  readonly signal: AbortSignal;
}

/**
 * One long connection from its address to its end; resolves when `signal` aborts and rejects when the connection is
 * lost or cannot be had.
 *
 * The SDK's client would reconnect by itself, but only after up to 30 seconds and then every two minutes, and it stops
 * for good when the platform is busy. So a client is used for one connection: at its first attempt to reconnect it is
 * thrown away.
 */
export async function runSession({
  sdk,
  config,
  http,
  log,
  receive,
  onConnected,
  signal,
}: SessionOptions): Promise<void> {
  const lost = Promise.withResolvers<never>();
  const stopped = Promise.withResolvers<void>();
  const fail = (error: AntlerError): void => lost.reject(error);
  const connecting = setTimeout(
    () => fail(new AntlerError('timeout', 'The long connection did not come up in time.', { retryable: true })),
    CONNECT_TIMEOUT_MS,
  );
  const client = new sdk.WSClient({
    appId: config.app_id,
    appSecret: config.app_secret,
    domain: config.domain.replace(/\/+$/, ''),
    httpInstance: endpointOnce(http, fail),
    logger: quietLogger(log),
    handshakeTimeoutMs: HANDSHAKE_TIMEOUT_MS,
    wsConfig: { pingTimeout: PONG_TIMEOUT_SECONDS },
    onReady: () => {
      clearTimeout(connecting);
      onConnected();
    },
    onReconnecting: () => fail(new AntlerError('unavailable', 'The long connection was lost.', { retryable: true })),
    onError: () => fail(new AntlerError('unavailable', 'The long connection cannot be had.', { retryable: true })),
  });
  const stop = (): void => stopped.resolve();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    // Events are handed over as they are, like those of a webhook; the SDK's dispatcher would take them apart.
    class Dispatcher extends sdk.EventDispatcher {
      override invoke(event: unknown): Promise<object> {
        return receive(event);
      }
    }
    const eventDispatcher = new Dispatcher({ logger: quietLogger(log) });
    await Promise.race([client.start({ eventDispatcher }).then(() => stopped.promise), lost.promise]);
  } finally {
    clearTimeout(connecting);
    signal.removeEventListener('abort', stop);
    // At this point the client has armed the timer of its own reconnect, which only now can be disarmed.
    client.close({ force: true });
  }
}

/**
 * Asks for the connection's address, once. What the platform refuses is told at once, since the client does not say
 * why it fails; and a client that asks a second time has lost its connection.
 */
function endpointOnce(http: HttpInstance, fail: (error: AntlerError) => void): HttpInstance {
  let asked = false;
  const request = async (options: Parameters<HttpInstance['request']>[0]): Promise<unknown> => {
    try {
      if (asked) throw new AntlerError('unavailable', 'The long connection’s handshake failed.', { retryable: true });
      asked = true;
      const answer: unknown = await http.request({ ...options, timeout: CALL_TIMEOUT_MS });
      return withoutDelay(answer);
    } catch (thrown) {
      const error = feishuError(thrown, { idempotent: true });
      fail(error);
      throw error;
    }
  };
  return { ...http, request: request as HttpInstance['request'] };
}

/** Without this the client waits for up to 30 seconds before it asks a second time. */
function withoutDelay(answer: unknown): unknown {
  const data = isRecord(answer) ? answer.data : undefined;
  if (!isRecord(answer) || !isRecord(data) || !isRecord(data.ClientConfig)) throw refusal(1, '');
  return { ...answer, data: { ...data, ClientConfig: { ...data.ClientConfig, ReconnectNonce: 0 } } };
}
