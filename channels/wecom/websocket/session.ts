import type * as aibot from '@wecom/aibot-node-sdk';
import { AntlerError } from '../../../src/base/errors.ts';
import { refusal, socketError } from '../errors.ts';
import { CONNECT_TIMEOUT_MS } from '../limits.ts';

export type Sdk = Pick<typeof aibot, 'WSClient' | 'generateReqId'>;

/** What came on the connection: a message's or an event's body, and the id that answers to it bear. */
export interface Incoming {
  readonly reqId: string;
  readonly body: unknown;
}

/** One connection that is up. */
export interface Link {
  /**
   * Sends a command and waits until WeCom has confirmed it.
   * @param reqId of what is answered; without one the command stands for itself
   * @returns the confirmation's body
   * @throws WecomError, or AntlerError by {@link socketError}
   */
  call(
    cmd: string,
    body: object,
    options?: { readonly reqId?: string; readonly idempotent?: boolean },
  ): Promise<unknown>;
}

export interface SessionOptions {
  readonly sdk: Sdk;
  readonly botId: string;
  readonly secret: string;
  readonly url: string;
  readonly heartbeatMs: number;
  /** Never throws. */
  readonly take: (incoming: Incoming) => void;
  readonly onUp: (link: Link, end: (why: AntlerError) => void) => void;
  readonly signal: AbortSignal;
}

/** As large as WeCom's frames get, with room; files come by HTTP. */
const FRAME_MAX_BYTES = 8 * 1024 * 1024;

/**
 * One connection from dialling to its end; resolves when `signal` aborts and rejects when it is lost or cannot be had.
 *
 * The SDK's client would reconnect by itself, but gives up after some attempts, and at once when another program takes
 * the connection over. So a client is used for one connection and then thrown away.
 */
export async function runSession(options: SessionOptions): Promise<void> {
  const { sdk, botId, secret, url, heartbeatMs, take, onUp, signal } = options;
  if (signal.aborted) return;
  const lost = Promise.withResolvers<never>();
  const stopped = Promise.withResolvers<void>();
  const fail = (why: AntlerError): void => lost.reject(why);
  const client = new sdk.WSClient({
    ...{ botId, secret, wsUrl: url, heartbeatInterval: heartbeatMs },
    maxReconnectAttempts: 0,
    maxAuthFailureAttempts: 0,
    wsOptions: { handshakeTimeout: CONNECT_TIMEOUT_MS, maxPayload: FRAME_MAX_BYTES },
    logger: silent, // it logs what people say
  });
  client.on('authenticated', () => {
    clearTimeout(connecting);
    onUp(linkOf(client, sdk), fail);
  });
  client.on('message', ({ headers, body }) => take({ reqId: headers.req_id, body }));
  client.on('event', ({ headers, body }) => {
    if (body?.event?.eventtype === 'disconnected_event') fail(new AntlerError('conflict', KICKED, { retryable: true }));
    else take({ reqId: headers.req_id, body });
  });
  client.on('disconnected', () => fail(new AntlerError('unavailable', LOST, { retryable: true })));
  client.on('error', (error) => fail(connectionError(error)));
  const connecting = setTimeout(
    () => fail(new AntlerError('timeout', 'WeCom’s long connection did not come up in time.', { retryable: true })),
    CONNECT_TIMEOUT_MS,
  );
  const stop = (): void => stopped.resolve();
  signal.addEventListener('abort', stop, { once: true });
  try {
    client.connect();
    await Promise.race([stopped.promise, lost.promise]);
  } finally {
    clearTimeout(connecting);
    signal.removeEventListener('abort', stop);
    client.disconnect();
  }
}

const LOST = 'The long connection to WeCom was lost; trying on.';

export const KICKED =
  'Another program has connected to WeCom as this bot, and only one may be connected. End the other one, or give it a bot of its own; this one tries again from time to time.';

const nothing = (): void => {};
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

const linkOf = (client: InstanceType<Sdk['WSClient']>, sdk: Sdk): Link => ({
  async call(cmd, body, { reqId, idempotent = false } = {}) {
    try {
      const frame = await client.reply({ headers: { req_id: reqId ?? sdk.generateReqId(cmd) } }, body, cmd);
      return frame.body;
    } catch (thrown) {
      throw socketError(thrown, { idempotent });
    }
  },
});

/** The SDK tells a refused subscription in words alone. */
function connectionError(error: Error): AntlerError {
  const [, words = '', code] = /^Authentication failed: (.*) \(code: (-?\d+)\)$/s.exec(error.message) ?? [];
  if (code === undefined) return new AntlerError('unavailable', CANNOT, { retryable: true, cause: error });
  const refused = refusal(Number(code), words);
  // Whatever WeCom calls it, without a subscription there is no bot; only what passes by itself passes.
  return refused.retryable
    ? refused
    : new AntlerError('unauthorized', `WeCom does not take bot_id and secret (${code}).`, { cause: refused });
}

const CANNOT = 'The long connection to WeCom cannot be had; trying on.';
