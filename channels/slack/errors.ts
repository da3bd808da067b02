import { AntlerError, type ErrorCode } from '../../src/base/errors.ts';
import { property } from '../../src/base/property.ts';

export interface CallKind {
  /** Making the call twice does no harm. */
  readonly idempotent: boolean;
}

/** Slack said no, with the word it said. */
export class RefusedError extends AntlerError {
  /** e.g. `channel_not_found` */
  readonly reason: string;

  constructor(reason: string, code: ErrorCode, message: string, options: { readonly retryAfterMs?: number } = {}) {
    super(code, message, { ...options, retryable: code === 'rate_limited' || code === 'unavailable' });
    this.reason = reason;
  }
}

/** The word with which Slack refused, if it did. */
export const reasonOf = (error: unknown): string | undefined =>
  error instanceof RefusedError ? error.reason : undefined;

/**
 * Turns what `@slack/web-api` throws into our error. Its own errors hold whole answers (an HTML page, at times) and
 * request headers; ours hold a word and a sentence.
 */
export function slackError(thrown: unknown, { idempotent }: CallKind): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  switch (property(thrown, 'code')) {
    case 'slack_webapi_platform_error':
      return refused(property(thrown, 'data'), idempotent);
    case 'slack_webapi_rate_limited_error':
      return limited(property(thrown, 'retryAfter'));
    case 'slack_webapi_http_error':
      return failed(Number(property(thrown, 'statusCode')), idempotent);
    default:
      return unreached(thrown, idempotent);
  }
}

const APP_TOKEN =
  'Slack does not accept the app-level token. Make one with connections:write (Basic Information, App-Level Tokens) and put it into app_token.';

/** What fails on the way to a socket; there, the other token is meant. */
export function appTokenError(thrown: unknown): AntlerError {
  const error = slackError(thrown, { idempotent: true });
  const isToken = error.code === 'unauthorized' || reasonOf(error) === 'missing_scope';
  return isToken ? new AntlerError('unauthorized', APP_TOKEN) : error;
}

const TOKEN =
  'Slack does not accept the bot token. Take the current one from your app’s page (OAuth & Permissions, Bot User OAuth Token) and put it into bot_token.';
const FORMAT = 'Slack refused the formatting.';
const CHANNEL = 'The channel does not exist or the bot is not in it; invite the bot.';

/** Slack's words, as the method references list them. */
const words: ReadonlyMap<string, readonly [ErrorCode, string]> = new Map([
  ...all(['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'], 'unauthorized', TOKEN),
  ...all(
    ['not_allowed_token_type'],
    'unauthorized',
    'This is a token of another kind: bot_token begins with xoxb-, app_token with xapp-.',
  ),
  ...all(['ratelimited', 'rate_limited', 'message_limit_exceeded'], 'rate_limited', 'Slack asks the bot to slow down.'),
  ...all(['channel_not_found', 'not_in_channel', 'user_not_found', 'user_disabled'], 'target_gone', CHANNEL),
  ...all(['is_archived', 'channel_is_archived'], 'target_gone', 'The channel is archived.'),
  ...all(
    ['message_not_found', 'thread_not_found', 'invalid_thread_ts', 'cannot_reply_to_message'],
    'target_gone',
    'The message or its thread is gone.',
  ),
  ...all(
    [
      'invalid_blocks',
      'invalid_blocks_format',
      'msg_blocks_too_long',
      'block_mismatch',
      'invalid_attachments',
      'markdown_text_conflict',
    ],
    'format_refused',
    FORMAT,
  ),
  ...all(
    ['file_not_found', 'file_deleted', 'file_not_visible'],
    'not_found',
    'Slack does not have the file any more, or the bot may not see it.',
  ),
  ...all(
    ['file_upload_size_restricted', 'upload_too_large', 'storage_limit_reached'],
    'too_large',
    'The file is larger than the workspace allows.',
  ),
  ...all(
    ['file_uploads_disabled', 'file_uploads_except_images_disabled', 'file_type_not_allowed', 'blocked_file_type'],
    'unsupported',
    'The workspace does not allow such files.',
  ),
  ...all(['msg_too_long'], 'too_large', 'The message is too long for Slack.'),
  ...all(['no_text'], 'bad_input', 'The message has no text.'),
  ...all(
    ['edit_window_closed', 'cant_update_message', 'cant_delete_message', 'compliance_exports_prevent_deletion'],
    'forbidden',
    'The message cannot be changed any more.',
  ),
  ...all(
    [
      'restricted_action',
      'restricted_action_read_only_channel',
      'restricted_action_thread_only_channel',
      'restricted_action_non_threadable_channel',
      'messages_tab_disabled',
      'cannot_dm_bot',
      'access_denied',
      'no_permission',
      'ekm_access_denied',
      'team_access_not_granted',
      'posting_to_channel_denied',
      'not_allowed_to_share_file',
    ],
    'forbidden',
    'Slack does not allow the bot to write there.',
  ),
  ...all(['service_unavailable', 'team_added_to_org'], 'unavailable', 'Slack has a problem of its own.'),
]);

function all(
  reasons: readonly string[],
  code: ErrorCode,
  message: string,
): (readonly [string, readonly [ErrorCode, string]])[] {
  return reasons.map((reason) => [reason, [code, message]] as const);
}

/** With these Slack says itself that the call may have had its effect. */
const HALF_DONE = new Set(['fatal_error', 'internal_error', 'request_timeout']);

function refused(data: unknown, idempotent: boolean): AntlerError {
  const reason = property(data, 'error');
  // A proxy's page comes with status 200, too; the SDK hands it on as the reason.
  if (typeof reason !== 'string' || !/^\w{1,80}$/.test(reason)) {
    return unanswered(
      'What answered in Slack’s place is not Slack; is there a proxy that wants to be asked?',
      idempotent,
    );
  }
  if (HALF_DONE.has(reason)) return unanswered(`Slack answered ${reason}: it may have done it or not.`, idempotent);
  if (reason === 'missing_scope') {
    const needed = property(data, 'needed');
    const scope = typeof needed === 'string' && /^[\w:.,-]+$/.test(needed) ? needed : 'a scope';
    return new RefusedError(
      reason,
      'forbidden',
      `The app lacks ${scope}; add it under OAuth & Permissions and install the app again.`,
    );
  }
  const known = words.get(reason);
  if (known?.[0] === 'rate_limited') return limited(property(property(data, 'response_metadata'), 'retryAfter'));
  if (known !== undefined) return new RefusedError(reason, known[0], `${known[1]} (${reason})`);
  return new RefusedError(reason, 'bad_input', `Slack refused the request (${reason}).`);
}

function limited(seconds: unknown): AntlerError {
  const wait = typeof seconds === 'number' && seconds > 0 ? seconds : 1;
  return new RefusedError('ratelimited', 'rate_limited', 'Slack asks the bot to slow down.', {
    retryAfterMs: wait * 1_000,
  });
}

function failed(status: number, idempotent: boolean): AntlerError {
  if (status === 504) return unanswered('Slack answered 504: it did not finish in time.', idempotent);
  if (status === 413) return new AntlerError('too_large', 'The request is too large for Slack.');
  if (status >= 500)
    return new AntlerError('unavailable', `Slack has a problem of its own (${status}).`, { retryable: true });
  return new AntlerError('bad_input', `Slack refused the request with status ${status}; is api_root right?`);
}

/** Failures before a byte of the request has left. */
const UNSENT = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  'UND_ERR_CONNECT_TIMEOUT',
]);

function unreached(thrown: unknown, idempotent: boolean): AntlerError {
  const code = networkCode(thrown);
  if (UNSENT.has(code) || /^(?:CERT_|ERR_TLS|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/.test(code)) {
    return new AntlerError('unavailable', `Slack cannot be reached (${code}).`, { retryable: true });
  }
  return unanswered(`The connection to Slack broke before its answer came (${code}).`, idempotent);
}

/** The request went out and no answer can be had. */
function unanswered(message: string, idempotent: boolean): AntlerError {
  return idempotent
    ? new AntlerError('unavailable', message, { retryable: true })
    : new AntlerError('uncertain', message);
}

/** The innermost code of what `fetch` throws, e.g. `ECONNRESET`; it holds nothing of the request. */
function networkCode(thrown: unknown): string {
  let found = 'no answer';
  let error: unknown = thrown;
  for (let depth = 0; depth < 6 && typeof error === 'object' && error !== null; depth++) {
    const code = property(error, 'code');
    if (typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code)) found = code;
    if (property(error, 'name') === 'TimeoutError') found = 'ETIMEDOUT';
    const [first] = error instanceof AggregateError ? error.errors : [];
    error = first ?? property(error, 'original') ?? property(error, 'cause');
  }
  return found;
}
