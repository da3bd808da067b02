import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { ErrorCode } from '../../src/base/errors.ts';
import { MigratedError, telegramError } from './errors.ts';

const refusal = (error_code: number, description: string, parameters?: object): object => ({
  message: `${error_code}: ${description}`,
  response: { ok: false, error_code, description, parameters },
  on: { method: 'sendMessage', payload: { text: 'what somebody said' } },
});
const network = (code: string, message = code): object => ({ type: 'system', code, message });
const once = { idempotent: false };

test('each of Telegram’s refusals has its code', () => {
  const table: [number, string, ErrorCode][] = [
    [401, 'Unauthorized', 'unauthorized'],
    [404, 'Not Found', 'unauthorized'],
    [403, 'Forbidden: bot was blocked by the user', 'target_gone'],
    [403, 'Forbidden: bot was kicked from the supergroup chat', 'target_gone'],
    [403, 'Forbidden: user is deactivated', 'target_gone'],
    [403, 'Forbidden: something else', 'forbidden'],
    [400, "Bad Request: can't parse entities: Unsupported start tag", 'format_refused'],
    [400, 'Bad Request: entity begins after the end of the text', 'format_refused'],
    [400, 'Bad Request: message is not modified: specified new message content', 'not_modified'],
    [400, 'Bad Request: chat not found', 'target_gone'],
    [400, 'Bad Request: message thread not found', 'target_gone'],
    [400, 'Bad Request: TOPIC_CLOSED', 'target_gone'],
    [400, 'Bad Request: message to edit not found', 'target_gone'],
    [400, 'Bad Request: message to be replied not found', 'target_gone'],
    [400, "Bad Request: message can't be edited", 'forbidden'],
    [400, 'Bad Request: message is too long', 'too_large'],
    [400, 'Bad Request: MESSAGE_TOO_LONG', 'too_large'],
    [413, 'Request Entity Too Large', 'too_large'],
    [400, 'Bad Request: file is too big', 'too_large'],
    [400, 'Bad Request: message caption is too long', 'too_large'],
    [400, 'Bad Request: MEDIA_CAPTION_TOO_LONG', 'too_large'],
    [400, 'Bad Request: wrong file_id or the file is temporarily unavailable', 'not_found'],
    [400, 'Bad Request: wrong file identifier/HTTP URL specified', 'not_found'],
    [400, 'Bad Request: PHOTO_INVALID_DIMENSIONS', 'unsupported'],
    [400, 'Bad Request: IMAGE_PROCESS_FAILED', 'unsupported'],
    [400, 'Bad Request: VOICE_MESSAGES_FORBIDDEN', 'unsupported'],
    [400, 'Bad Request: there is no text in the message to edit', 'unsupported'],
    [400, 'Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN', 'forbidden'],
    [400, 'Bad Request: not enough rights to send photos to the chat', 'forbidden'],
    [400, 'Bad Request: TOPIC_DELETED', 'target_gone'],
    [403, 'Forbidden: bot is not a member of the supergroup chat', 'target_gone'],
    [403, "Forbidden: bot can't initiate conversation with a user", 'target_gone'],
    [400, 'Bad Request: query is too old and response timeout expired or query ID is invalid', 'not_found'],
    [400, 'Bad Request: message text is empty', 'bad_input'],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'forbidden'],
    [400, 'Bad Request: something new', 'bad_input'],
    [409, 'Conflict: terminated by other getUpdates request', 'conflict'],
    [429, 'Too Many Requests: retry after 7', 'rate_limited'],
    [500, 'Internal Server Error', 'unavailable'],
    [502, 'Bad Gateway', 'unavailable'],
    [504, 'Gateway Timeout', 'uncertain'],
  ];
  for (const [code, description, expected] of table) {
    assert.equal(telegramError(refusal(code, description), once).code, expected, description);
  }
  assert.equal(telegramError(refusal(429, 'x', { retry_after: 7 }), once).retryAfterMs, 7_000);
  const moved = telegramError(
    refusal(400, 'Bad Request: group chat was upgraded', { migrate_to_chat_id: -1009 }),
    once,
  );
  assert.ok(moved instanceof MigratedError && moved.newChat === '-1009');
});

test('a broken connection is retried only where nothing was sent or nothing can be doubled', () => {
  const table: [object, ErrorCode][] = [
    [network('ECONNREFUSED'), 'unavailable'],
    [network('ENOTFOUND'), 'unavailable'],
    [network('EAI_AGAIN'), 'unavailable'],
    [network('CERT_HAS_EXPIRED'), 'unavailable'],
    [network('ETIMEDOUT', 'request failed, reason: connect ETIMEDOUT 1.2.3.4:443'), 'unavailable'],
    [network('ETIMEDOUT', 'request failed, reason: read ETIMEDOUT'), 'uncertain'],
    [network('ECONNRESET'), 'uncertain'],
    [{ type: 'invalid-json', message: 'invalid json response body' }, 'uncertain'],
    [new Error('whatever'), 'uncertain'],
  ];
  for (const [thrown, expected] of table) {
    assert.equal(telegramError(thrown, once).code, expected, inspect(thrown));
    const again = telegramError(thrown, { idempotent: true });
    assert.deepEqual([again.code, again.retryable], ['unavailable', true]);
  }
});

test('neither the token nor what people said is in an error', () => {
  const leaks = [
    refusal(400, 'Bad Request: chat not found'),
    { type: 'invalid-json', message: 'invalid json response body at https://api.telegram.org/bot1:SECRET/getMe' },
  ];
  for (const leak of leaks)
    assert.doesNotMatch(inspect(telegramError(leak, once), { depth: 9 }), /SECRET|somebody said/);
});
