import { AntlerError, type ErrorCode } from '../../src/base/errors.ts';
import { property } from '../../src/base/property.ts';

/** What a call is about to do decides what an answer that never came means. */
export interface CallKind {
  /** Making it twice does no harm, so it may simply be made again. */
  readonly idempotent: boolean;
}

/** A refusal of the open API; `feishuCode` tells those apart that the adapter itself can do something about. */
export class FeishuError extends AntlerError {
  readonly feishuCode: number;

  constructor(feishuCode: number, code: ErrorCode, message: string, retryAfterMs?: number) {
    const retryable = code === 'rate_limited' || code === 'unavailable';
    super(code, message, { retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
    this.feishuCode = feishuCode;
  }
}

/** True for refusals with one of these codes. */
export const refusedWith = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof FeishuError && codes.includes(error.feishuCode);

/** Codes that say what became of a card; https://open.feishu.cn/document/cardkit-v1 */
export const CARD_CODE = {
  invalidId: 200740,
  expired: 200750,
  streamingTimeout: 200850,
  streamingClosed: 300309,
  elementMissing: 300313,
  sequenceTooSmall: 300317,
} as const;

/** Tokens that are no longer good. */
const TOKEN_CODES = [99991661, 99991663, 99991664, 99991668, 99991671, 99991677] as const;

export const isTokenRefusal = (error: unknown): boolean => refusedWith(error, ...TOKEN_CODES);

/** https://open.feishu.cn/document/server-docs/api-call-guide/generic-error-code and the pages of each API. */
const known: ReadonlyMap<number, readonly [ErrorCode, string]> = new Map<number, readonly [ErrorCode, string]>([
  ...TOKEN_CODES.map((code) => [code, ['unauthorized', 'Feishu does not accept the access token.']] as const),
  [
    10003,
    ['unauthorized', 'Feishu does not know this App ID. Check app_id, and domain: Lark apps need the Lark domain.'],
  ],
  [10014, ['unauthorized', 'Feishu does not accept the App Secret. Copy it again from Credentials & Basic Info.']],
  [514, ['unauthorized', 'Feishu does not accept App ID and App Secret for the long connection.']],
  [403, ['forbidden', 'The app may not use the long connection: it works for self-built apps only.']],
  [99991400, ['rate_limited', 'Feishu asks the bot to slow down.']],
  [230020, ['rate_limited', 'Feishu asks the bot to slow down in this chat.']],
  [11232, ['rate_limited', 'Feishu asks the bots of this tenant to slow down.']],
  [11233, ['rate_limited', 'Feishu asks the bots of this tenant to slow down.']],
  [
    1000040350,
    ['conflict', 'The app has too many long connections (50 is the limit). Stop other programs that use it.'],
  ],
  [1, ['unavailable', 'Feishu is busy.']],
  [1000040343, ['unavailable', 'Feishu has a problem of its own with the long connection.']],
  [230049, ['unavailable', 'Feishu is still sending the same message.']],
  [2200, ['unavailable', 'Feishu has a problem of its own.']],
  [
    99991672,
    [
      'forbidden',
      'The app lacks a scope for this call; the README lists all it needs. Publish a version after adding it.',
    ],
  ],
  [99991679, ['forbidden', 'The app lacks a scope for this call; the README lists all it needs.']],
  [230027, ['forbidden', 'The app lacks a scope for this call; the README lists all it needs.']],
  [230006, ['forbidden', 'The app has no bot: add the bot capability and publish a version.']],
  [230013, ['forbidden', 'The person is outside of the app’s availability range.']],
  [230018, ['forbidden', 'The group does not let the bot write.']],
  [230028, ['forbidden', 'The tenant’s content check refused the message.']],
  [230035, ['forbidden', 'The bot may not write in this chat.']],
  [230071, ['forbidden', 'The message is not the bot’s own.']],
  [230002, ['target_gone', 'The bot is not in the chat.']],
  [230029, ['target_gone', 'The person has left the tenant.']],
  [230045, ['target_gone', 'The chat is closed.']],
  [230011, ['target_gone', 'The message was recalled.']],
  [230017, ['target_gone', 'The message is gone.']],
  [230019, ['target_gone', 'The topic is gone.']],
  [230050, ['target_gone', 'The message cannot be seen by the bot.']],
  [230110, ['target_gone', 'The message was deleted.']],
  [230031, ['target_gone', 'The message is too old to be changed.']],
  [230072, ['target_gone', 'The message has been edited as often as Feishu allows.']],
  [230074, ['target_gone', 'A message of this kind cannot be edited.']],
  [230075, ['target_gone', 'The message is too old to be edited.']],
  [232006, ['target_gone', 'The chat does not exist.']],
  [230055, ['unsupported', 'The file was not uploaded as what the message shows it as.']],
  [230025, ['too_large', 'The message is too large for Feishu.']],
  [200860, ['too_large', 'The card is too large for Feishu.']],
  [234003, ['not_found', 'The message has no such file.']],
  [234004, ['target_gone', 'The app is not in the chat.']],
  [234006, ['too_large', 'The file is too large for Feishu.']],
  [234007, ['forbidden', 'The app has no bot: add the bot capability and publish a version.']],
  [234009, ['target_gone', 'The bot is not in the chat.']],
  [234010, ['unsupported', 'Feishu takes no empty files.']],
  [234011, ['unsupported', 'Feishu cannot read the picture.']],
  [234037, ['too_large', 'The file is larger than Feishu hands out.']],
  [234038, ['forbidden', 'The chat is confidential: its files cannot be fetched.']],
  [234039, ['unsupported', 'The picture has too many pixels for Feishu.']],
  [234040, ['not_found', 'The message cannot be seen by the bot.']],
  [234043, ['unsupported', 'Files of this kind of message cannot be fetched from Feishu.']],
  [230099, ['format_refused', 'Feishu refused the card.']],
  [11310, ['format_refused', 'The card has more tables than Feishu allows.']],
  [200621, ['format_refused', 'Feishu cannot read the card.']],
  [300305, ['format_refused', 'Feishu refused the card.']],
  [CARD_CODE.invalidId, ['target_gone', 'The card does not exist any more.']],
  [CARD_CODE.expired, ['target_gone', 'The card is too old to be changed.']],
  [CARD_CODE.streamingTimeout, ['conflict', 'The card has stopped streaming: ten minutes are over.']],
  [CARD_CODE.streamingClosed, ['conflict', 'The card does not stream any more.']],
  [CARD_CODE.elementMissing, ['conflict', 'The card has no such element.']],
  [CARD_CODE.sequenceTooSmall, ['conflict', 'A newer change of the card came first.']],
]);

const RATE_LIMIT_WAIT_MS = 1_000;

/** What a body with a code other than 0 means. The platform's own words may quote messages; ours never do. */
export function refusal(code: number, message: string, resetSeconds?: number): FeishuError {
  if (code === 230001) return badRequest(message);
  const [kind, sentence] = known.get(code) ?? ['bad_input', `Feishu refused the call (code ${code}).`];
  const wait = (resetSeconds ?? 0) > 0 ? (resetSeconds ?? 0) * 1_000 : RATE_LIMIT_WAIT_MS;
  return new FeishuError(code, kind, sentence, kind === 'rate_limited' ? wait : undefined);
}

/** One code for everything that is wrong with a request; what it is stands behind `ext=`. */
function badRequest(message: string): FeishuError {
  const reason = /ext=([\w ]{1,60})/.exec(message)?.[1]?.trim() ?? 'no reason given';
  if (/receive_id|chat_id|message_id/.test(reason)) {
    return new FeishuError(230001, 'target_gone', `Feishu does not know the chat or message (${reason}).`);
  }
  if (/content|text/.test(reason)) {
    return new FeishuError(230001, 'format_refused', `Feishu refused the content (${reason}).`);
  }
  return new FeishuError(230001, 'bad_input', `Feishu refused the request (${reason}).`);
}

/** The request went out and no answer can be had. */
export function unanswered(message: string, { idempotent }: CallKind): AntlerError {
  return idempotent
    ? new AntlerError('unavailable', message, { retryable: true })
    : new AntlerError('uncertain', message);
}

/** The code of an error for an answer that cannot be one of the open API's, e.g. a proxy's page with HTTP 200. */
export const NO_JSON = 'NO_JSON';

/** Turns what the SDK or its HTTP client throws into our error; theirs hold tokens and message bodies. */
export function feishuError(thrown: unknown, kind: CallKind): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  const response = property(thrown, 'response');
  if (response !== undefined) return refusedByHttp(response, kind);
  const code = networkCode(thrown);
  if (code === NO_JSON) {
    return unanswered('What answered is not Feishu’s open platform: a proxy on the way, or another address.', kind);
  }
  if (UNSENT.has(code) || /^(?:CERT_|ERR_TLS|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/.test(code)) {
    return new AntlerError('unavailable', `Feishu cannot be reached (${code}).`, { retryable: true });
  }
  return unanswered(`The connection to Feishu broke before its answer came (${code}).`, kind);
}

function refusedByHttp(response: unknown, kind: CallKind): AntlerError {
  const status = Number(property(response, 'status'));
  const data = property(response, 'data');
  const code = property(data, 'code');
  const message = property(data, 'msg');
  const reset = Number(property(property(response, 'headers'), 'x-ogw-ratelimit-reset'));
  if (typeof code === 'number' && code !== 0) {
    return refusal(code, typeof message === 'string' ? message : '', Number.isFinite(reset) ? reset : undefined);
  }
  if (status === 429) return refusal(99991400, '', Number.isFinite(reset) ? reset : undefined);
  if (status >= 300 && status < 400) {
    return new AntlerError('config_invalid', `Feishu answers at another address than domain (HTTP ${status}).`);
  }
  if (status === 413) return new AntlerError('too_large', 'The request is too large for Feishu.');
  if (status === 504) return unanswered('Feishu answered 504: it did not finish in time.', kind);
  if (status >= 500) {
    return new AntlerError('unavailable', `Feishu has a problem of its own (${status}).`, { retryable: true });
  }
  if (status === 404) {
    return new AntlerError('config_invalid', 'What answers at domain is not Feishu’s open platform.');
  }
  return new AntlerError('bad_input', `Feishu refused the call (HTTP ${status}).`);
}

/** Failures that node reports while it looks up the host or connects, so before a byte of the request has left. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

function networkCode(thrown: unknown): string {
  const code = property(thrown, 'code');
  return typeof code === 'string' && /^\w+$/.test(code) ? code : 'no answer';
}
