/** Every way in which Antler can fail, as one closed list: rooms narrow it, none adds to it elsewhere. */
export type ErrorCode =
  | 'bad_input' // what was handed in cannot be understood
  | 'config_invalid' // the configuration says something impossible
  | 'unauthorized' // a token or key is wrong, missing or revoked
  | 'forbidden' // known, but not allowed
  | 'no_credit' // known, but the account has no balance or quota left
  | 'not_found' // the thing, chat, message or model is not there
  | 'conflict' // somebody else holds it (409 while polling, a second process on one data folder)
  | 'rate_limited' // asked to wait; `retryAfterMs` says how long
  | 'unavailable' // unreachable, overloaded, 5xx
  | 'timeout' // no answer in time
  | 'too_large' // over a limit of size
  | 'format_refused' // the platform refused the formatting; plain text may pass
  | 'target_gone' // the chat, topic or replied-to message is gone for good
  | 'not_modified' // the edit would change nothing
  | 'uncertain' // the request went out, its answer never came: it may have happened
  | 'context_too_long' // the model's window is full
  | 'content_refused' // the model's provider refused the content
  | 'stream_broken' // the model's stream ended before its end
  | 'cancelled' // a person or a shutdown stopped it
  | 'fenced' // a newer holder of the lease has taken over
  | 'unsupported' // this platform or build cannot do it
  | 'internal'; // a fault of ours

export interface ErrorOptions {
  /** May the same call succeed when it is made again? Default: false. */
  readonly retryable?: boolean;
  /** How long to wait before it is made again, in milliseconds, as the other side asked. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * The one root of Antler's errors. The message is English, for logs and admins, and never holds a secret or a
 * message body; what a person reads comes from the catalogue in `sentences.ts`.
 */
export class AntlerError extends Error {
  override readonly name: string = 'AntlerError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Turns whatever was thrown into an {@link AntlerError}, keeping the original as `cause`. */
export function asAntlerError(thrown: unknown, code: ErrorCode = 'internal'): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AntlerError(code, message, { cause: thrown });
}
