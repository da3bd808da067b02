import { AntlerError, type ErrorCode } from '../../src/base/errors.ts';
import { property } from '../../src/base/property.ts';

/** What a call is about to do decides what an answer that never came means. */
export interface CallKind {
  /** Making it twice does no harm, so it may simply be made again. */
  readonly idempotent: boolean;
}

/** The chat has a new id; everything for the old one has to go there. */
export class MigratedError extends AntlerError {
  readonly newChat: string;

  constructor(newChat: string) {
    super('target_gone', 'The group became a supergroup and has a new chat id.');
    this.newChat = newChat;
  }
}

/** What the Bot API says when it refuses: https://core.telegram.org/bots/api#making-requests */
interface Refusal {
  readonly code: number;
  readonly description: string;
  readonly retryAfterMs?: number;
  readonly newChat?: string;
}

/** Turns what telegraf throws into our error. Its own errors hold the token (in URLs) and message bodies; ours hold neither. */
export function telegramError(thrown: unknown, { idempotent }: CallKind): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  const refusal = refusalOf(thrown);
  if (refusal !== undefined) return refused(refusal, idempotent);
  const code = networkCode(thrown);
  if (code === 'invalid-json')
    return unanswered(
      'What answered at api_root is not the Bot API; is there a proxy that wants to be asked?',
      idempotent,
    );
  if (isUnsent(thrown, code)) {
    return new AntlerError('unavailable', `Telegram cannot be reached (${code}).`, { retryable: true });
  }
  return unanswered(`The connection to Telegram broke before its answer came (${code}).`, idempotent);
}

/** The request went out and no answer can be had. */
export function unanswered(message: string, idempotent: boolean): AntlerError {
  return idempotent
    ? new AntlerError('unavailable', message, { retryable: true })
    : new AntlerError('uncertain', message);
}

/** Descriptions are not documented; these are matched without their case, first match wins. */
const badRequests: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [/message is not modified/, 'not_modified', 'The edit would change nothing.'],
  [/entit(?:y|ies)/, 'format_refused', 'Telegram refused the formatting.'],
  [
    /message is too long|message_too_long|caption is too long|caption_too_long/,
    'too_large',
    'The message is too long for Telegram.',
  ],
  [/file is too big|file of size|too large|too_big/, 'too_large', 'The file is too large for Telegram.'],
  [/wrong file|invalid file|file_id|file identifier|file_reference/, 'not_found', 'Telegram does not know the file.'],
  [/there is no (?:text|caption) in the message to edit/, 'unsupported', 'The message has no text of this kind.'],
  [
    /^bad request: (?:photo|video|image|audio|voice|animation|media)_(?!caption)|failed to get http url content|wrong type of the web page/,
    'unsupported',
    'Telegram does not show this file as what it was sent as.',
  ],
  [/message (?:text )?is empty|text must be non-empty/, 'bad_input', 'The message has no text.'],
  [/thread not found|topic_?(?:closed|deleted|id_invalid)/, 'target_gone', 'The topic is closed or gone.'],
  [/chat not found|peer_id_invalid|channel_private/, 'target_gone', 'The chat does not exist or the bot is not in it.'],
  [/message to (?:edit|delete|be replied|reply) not found|message_id_invalid/, 'target_gone', 'The message is gone.'],
  [/message can't be (?:edited|deleted)/, 'forbidden', 'The message cannot be changed any more.'],
  [
    /not enough rights|have no rights|need administrator|chat_admin_required|chat_(?:write|send_\w+|guest_send)_forbidden|chat_restricted/,
    'forbidden',
    'The bot has no right to do this in the chat; make it an administrator or allow it to write.',
  ],
  [/group chat was (?:deactivated|upgraded)/, 'target_gone', 'The group is closed.'],
  [/query is too old|query id is invalid/, 'not_found', 'The button press is too old to be answered.'],
];

function refused(refusal: Refusal, idempotent: boolean): AntlerError {
  const { code, retryAfterMs, newChat } = refusal;
  const description = refusal.description.toLowerCase();
  if (newChat !== undefined) return new MigratedError(newChat);
  if (code === 429) {
    return new AntlerError('rate_limited', 'Telegram asks the bot to slow down.', {
      retryable: true,
      retryAfterMs: retryAfterMs ?? 1_000,
    });
  }
  if (code === 401 || (code === 404 && description.includes('not found'))) {
    return new AntlerError('unauthorized', UNAUTHORIZED);
  }
  if (code === 403) return forbidden(description);
  if (code === 409) return new AntlerError('conflict', CONFLICT, { retryable: true });
  if (code === 413) return new AntlerError('too_large', 'The request is too large for Telegram.');
  if (code === 504) return unanswered('Telegram answered 504: it did not finish in time.', idempotent);
  if (code >= 500)
    return new AntlerError('unavailable', `Telegram has a problem of its own (${code}).`, { retryable: true });
  const known = badRequests.find(([pattern]) => pattern.test(description));
  if (known !== undefined) return new AntlerError(known[1], known[2]);
  return new AntlerError('bad_input', `Telegram refused the request (${code}: ${refusal.description.slice(0, 200)}).`);
}

const UNAUTHORIZED =
  'Telegram does not accept the bot token. Take the current one from @BotFather (/mybots, API Token) and put it into bot_token.';
const CONFLICT =
  'Another program receives this bot’s messages, by polling with the same token or by a webhook. Stop it, or revoke the token at @BotFather.';

function forbidden(description: string): AntlerError {
  const gone = /blocked by the user|kicked|deactivated|not a member|initiate conversation/.test(description);
  return gone
    ? new AntlerError('target_gone', 'The person blocked the bot, or the bot was removed from the chat.')
    : new AntlerError('forbidden', 'Telegram does not allow the bot to do this in the chat.');
}

function refusalOf(thrown: unknown): Refusal | undefined {
  const response = property(thrown, 'response');
  const code = property(response, 'error_code');
  if (typeof code !== 'number') return undefined;
  const description = property(response, 'description');
  const parameters = property(response, 'parameters');
  const seconds = property(parameters, 'retry_after');
  const newChat = property(parameters, 'migrate_to_chat_id');
  return {
    code,
    description: typeof description === 'string' ? description : '',
    ...(typeof seconds === 'number' ? { retryAfterMs: Math.max(1, seconds) * 1_000 } : {}),
    ...(typeof newChat === 'number' || typeof newChat === 'string' ? { newChat: String(newChat) } : {}),
  };
}

/** Failures that node reports while it looks up the host or connects, so before a byte of the request has left. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

function isUnsent(thrown: unknown, code: string): boolean {
  if (UNSENT.has(code) || /^(?:CERT_|ERR_TLS|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/.test(code)) return true;
  const message = property(thrown, 'message');
  return code === 'ETIMEDOUT' && typeof message === 'string' && message.includes('connect ETIMEDOUT');
}

/** A short name of the failure that holds nothing of the request. */
function networkCode(thrown: unknown): string {
  const code = property(thrown, 'code');
  if (typeof code === 'string' && /^\w+$/.test(code)) return code;
  const type = property(thrown, 'type');
  return typeof type === 'string' && /^[\w-]+$/.test(type) ? type : 'no answer';
}
