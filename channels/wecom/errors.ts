import { AntlerError, type ErrorCode, type ErrorOptions } from '../../src/base/errors.ts';
import { property } from '../../src/base/property.ts';

/** What a call is about to do decides what an answer that never came means. */
export interface CallKind {
  /** Making it twice does no harm, so it may simply be made again. */
  readonly idempotent: boolean;
}

/** WeCom said no, with a code: https://developer.work.weixin.qq.com/document/path/90313 */
export class WecomError extends AntlerError {
  override readonly name = 'WecomError';
  readonly errcode: number;

  constructor(errcode: number, code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, options);
    this.errcode = errcode;
  }
}

const MINUTE_MS = 60_000;
const AGAIN: ErrorOptions = { retryable: true };

interface Meaning {
  readonly code: ErrorCode;
  readonly sentence: string;
  readonly options?: ErrorOptions;
}

/** A growing answer that takes no more updates. */
export const STREAM_EXPIRED = 846608;
/** A `req_id` that takes no such answer: too old, used up, or an event's. */
export const REQ_ID_INVALID = 846605;

const TOKEN_CODES = new Set([40001, 40014, 41001, 42001]);

/** The access token has to be fetched anew; the call itself was not looked at. */
export const isTokenRefusal = (error: unknown): boolean =>
  error instanceof WecomError && TOKEN_CODES.has(error.errcode);

const meanings: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [-1, { code: 'unavailable', sentence: 'WeCom is busy', options: AGAIN }],
  [40001, { code: 'unauthorized', sentence: 'WeCom refuses corp_secret; it has to be the Secret of the app agent_id' }],
  [40003, { code: 'target_gone', sentence: 'WeCom knows no such member' }],
  [40013, { code: 'unauthorized', sentence: 'WeCom knows no such corp_id' }],
  [40014, { code: 'unauthorized', sentence: 'WeCom refuses the access token' }],
  [40091, { code: 'unauthorized', sentence: 'WeCom refuses corp_secret; it has to be the Secret of the app agent_id' }],
  [41001, { code: 'unauthorized', sentence: 'WeCom misses the access token' }],
  [42001, { code: 'unauthorized', sentence: 'The access token has expired' }],
  [40004, { code: 'unsupported', sentence: 'WeCom does not take this kind of file' }],
  [40005, { code: 'unsupported', sentence: 'WeCom does not take this kind of file' }],
  [40006, { code: 'too_large', sentence: 'The file is too large or too small for WeCom' }],
  [40007, { code: 'not_found', sentence: 'WeCom does not have the file any more' }],
  [40008, { code: 'format_refused', sentence: 'WeCom does not take this kind of message here' }],
  [40056, { code: 'config_invalid', sentence: 'WeCom knows no such agent_id' }],
  [40058, { code: 'format_refused', sentence: 'WeCom does not understand the message' }],
  [44004, { code: 'bad_input', sentence: 'The message is empty' }],
  [45002, { code: 'too_large', sentence: 'The message is too long for WeCom' }],
  [
    45009,
    {
      code: 'rate_limited',
      sentence: 'WeCom asks the bot to slow down',
      options: { ...AGAIN, retryAfterMs: MINUTE_MS },
    },
  ],
  [
    45033,
    { code: 'rate_limited', sentence: 'Too many calls at once for WeCom', options: { ...AGAIN, retryAfterMs: 1_000 } },
  ],
  [48002, { code: 'forbidden', sentence: 'The app may not use this interface' }],
  [50001, { code: 'forbidden', sentence: 'The address is not one of the app’s trusted domains' }],
  [
    60011,
    { code: 'forbidden', sentence: 'The app may not see this member; add the member under “Visibility” of the app' },
  ],
  [60111, { code: 'target_gone', sentence: 'WeCom knows no such member' }],
  [81013, { code: 'target_gone', sentence: 'The member has left, or is outside of the app’s visibility' }],
  [301002, { code: 'config_invalid', sentence: 'corp_secret is not the Secret of the app agent_id' }],
  [STREAM_EXPIRED, { code: 'target_gone', sentence: 'The answer has grown for too long; WeCom takes no more of it' }],
  [REQ_ID_INVALID, { code: 'target_gone', sentence: 'WeCom takes no such answer to this event' }],
  [
    846607,
    {
      code: 'rate_limited',
      sentence: 'WeCom asks the bot to slow down',
      options: { ...AGAIN, retryAfterMs: MINUTE_MS },
    },
  ],
]);

/** WeCom writes the address that it saw into the refusal. */
const ADDRESS = /from ip:\s*([\d.a-fA-F:]+\b)/;

/** Turns a code other than 0 into an error. The words are WeCom's own where we do not know the code. */
export function refusal(errcode: number, errmsg: string): WecomError {
  if (errcode === 60020) {
    const address = ADDRESS.exec(errmsg)?.[1];
    const which = address === undefined ? 'this server’s address' : address;
    // Whoever mends it needs a while; until then the messages wait.
    return new WecomError(
      errcode,
      'unauthorized',
      `WeCom does not take calls from here: add ${which} to the app’s “Trusted IPs” (60020).`,
    );
  }
  const known = meanings.get(errcode);
  if (known !== undefined) return new WecomError(errcode, known.code, `${known.sentence} (${errcode}).`, known.options);
  // 853xxx: what the long connection says to a wrong bot or secret.
  if (errcode >= 853_000 && errcode < 854_000)
    return new WecomError(errcode, 'unauthorized', `WeCom refuses bot_id or secret (${errcode}).`);
  const words = errmsg.replace(/\s*(?:,\s*)?(?:hint|from ip|more info).*$/s, '').slice(0, 200);
  return new WecomError(errcode, 'bad_input', `WeCom refused it (${errcode}: ${words}).`);
}

/** Turns an HTTP status other than 200 into an error. */
export function httpError(status: number, { idempotent }: CallKind): AntlerError {
  if (status === 413) return new AntlerError('too_large', 'The request is too large for WeCom.');
  if (status === 429)
    return new AntlerError('rate_limited', 'WeCom asks the bot to slow down.', { ...AGAIN, retryAfterMs: MINUTE_MS });
  // 504, and 522 to 524 of the proxies in front, say that the server behind did not answer in time.
  if (status === 504 || (status >= 520 && status <= 524))
    return unanswered(`WeCom answered ${status}: it did not finish in time.`, { idempotent });
  if (status >= 500) return new AntlerError('unavailable', `WeCom has a problem of its own (${status}).`, AGAIN);
  return new AntlerError('bad_input', `What answers at api_root is not WeCom (HTTP ${status}).`);
}

/** The request went out and no answer can be had. What is `unavailable` never went out. */
export const unanswered = (message: string, { idempotent }: CallKind): AntlerError =>
  idempotent ? new AntlerError('timeout', message, AGAIN) : new AntlerError('uncertain', message);

/** Failures while the host is looked up or connected to, so before a byte of the request has left. */
const UNSENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS\w*|UNABLE_TO_\w+|SELF_SIGNED\w*|DEPTH_ZERO\w*)$/;

/** Turns what `fetch` throws into our error; it names no address, since some hold a token. */
export function networkError(thrown: unknown, kind: CallKind): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  const code = codeOf(thrown) ?? codeOf(property(thrown, 'cause')) ?? 'no answer';
  if (UNSENT.test(code)) return new AntlerError('unavailable', `WeCom cannot be reached (${code}).`, AGAIN);
  return unanswered(`The connection to WeCom broke before its answer came (${code}).`, kind);
}

/**
 * Turns what the SDK of the long connection throws into our error: refusals come as the frame itself, everything else
 * as an `Error` that only its words tell apart.
 */
export function socketError(thrown: unknown, kind: CallKind): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  const errcode = property(thrown, 'errcode');
  if (typeof errcode === 'number' && errcode !== 0) return refusal(errcode, String(property(thrown, 'errmsg') ?? ''));
  const words = thrown instanceof Error ? thrown.message : '';
  if (/not connected|exceeds max size/i.test(words))
    return new AntlerError('unavailable', 'The long connection to WeCom is not up.', { ...AGAIN, retryAfterMs: 1_000 });
  if (/ack timeout/i.test(words)) return unanswered('WeCom did not confirm a message in time.', kind);
  return unanswered('The long connection to WeCom broke before it confirmed a message.', kind);
}

function codeOf(error: unknown): string | undefined {
  const code = property(error, 'code');
  return typeof code === 'string' && /^\w+$/.test(code) ? code : undefined;
}
