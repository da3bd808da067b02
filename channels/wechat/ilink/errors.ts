import { AntlerError } from '../../../src/base/errors.ts';
import { property } from '../../../src/base/property.ts';
import { ILINK_REFUSED_PAUSE_MS } from '../limits.ts';

/** What a call is about to do decides what an answer that never came means. */
export interface CallKind {
  /** Making it twice does no harm, so it may simply be made again. */
  readonly idempotent: boolean;
}

/** "session timeout": somebody logged in elsewhere, or WeChat ended the login. */
const STALE = -14;
/** Quota used up, window closed, too fast or too long: the server does not say which. */
const REFUSED = -2;
const BUSY = -1;

/** Turns what a body says (with HTTP 200) into an error; null when it is none. `ret` and `errcode` both count. */
export function refusalIn({
  ret = 0,
  errcode = 0,
  errmsg = '',
}: {
  readonly ret?: number | undefined;
  readonly errcode?: number | undefined;
  readonly errmsg?: string | undefined;
}): AntlerError | null {
  const code = ret === 0 ? errcode : ret;
  if (code === 0) return null;
  if (ret === STALE || errcode === STALE)
    return new AntlerError('unauthorized', 'WeChat has ended the login; somebody has to scan the QR code again.');
  if (code === REFUSED) {
    return new AntlerError('rate_limited', REFUSED_SENTENCE, { retryable: true, retryAfterMs: ILINK_REFUSED_PAUSE_MS });
  }
  if (code === BUSY) return new AntlerError('unavailable', 'WeChat is busy (-1).', { retryable: true });
  return new AntlerError('bad_input', `WeChat refused the request (${code}: ${errmsg.slice(0, 200)}).`);
}

const REFUSED_SENTENCE =
  'WeChat does not take the message now (-2): the bot wrote too fast, too often since the person last wrote, or more than a day after it.';

/** Turns an HTTP status other than 200 into an error. */
export function httpError(status: number, { idempotent }: CallKind): AntlerError {
  if (status === 401) return new AntlerError('unauthorized', 'WeChat refused the token (401).');
  // Said by what stands in front of WeChat, or between it and here; a new login would not change it.
  if (status === 403) return new AntlerError('unavailable', 'WeChat does not let us in (403).', { retryable: true });
  if (status === 404)
    return new AntlerError('unavailable', 'What answers at api_root is not iLink (404).', { retryable: true });
  if (status === 413) return new AntlerError('too_large', 'The request is too large for WeChat.');
  if (status === 429)
    return new AntlerError('rate_limited', 'WeChat asks the bot to slow down.', {
      retryable: true,
      retryAfterMs: 30_000,
    });
  // 504, and 522 to 524 of the proxies in front, say that the server behind did not answer in time.
  if (status === 504 || (status >= 520 && status <= 524))
    return unanswered(`WeChat answered ${status}: it did not finish in time.`, idempotent);
  if (status >= 500)
    return new AntlerError('unavailable', `WeChat has a problem of its own (${status}).`, { retryable: true });
  return new AntlerError('bad_input', `WeChat refused the request (HTTP ${status}).`);
}

/** The request went out and no answer can be had. */
export function unanswered(message: string, idempotent: boolean): AntlerError {
  return idempotent
    ? new AntlerError('unavailable', message, { retryable: true })
    : new AntlerError('uncertain', message);
}

/** Failures while the host is looked up or connected to, so before a byte of the request has left. */
const UNSENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS\w*|UNABLE_TO_\w+|SELF_SIGNED\w*|DEPTH_ZERO\w*)$/;

/** Turns what `fetch` throws into our error; it names neither the token nor the address. */
export function networkError(thrown: unknown, { idempotent }: CallKind): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  const code = codeOf(thrown) ?? codeOf(property(thrown, 'cause')) ?? 'no answer';
  if (UNSENT.test(code))
    return new AntlerError('unavailable', `WeChat cannot be reached (${code}).`, { retryable: true });
  return unanswered(`The connection to WeChat broke before its answer came (${code}).`, idempotent);
}

function codeOf(error: unknown): string | undefined {
  const code = property(error, 'code');
  return typeof code === 'string' && /^\w+$/.test(code) ? code : undefined;
}
