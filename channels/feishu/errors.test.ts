import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../../src/base/errors.ts';
import { feishuError, refusal } from './errors.ts';

test('what the codes of the open API mean', () => {
  const table: [number, string, string, string][] = [
    [230001, 'ext=invalid receive_id.', 'target_gone', 'chat or message'],
    [230001, 'ext=invalid message content.', 'format_refused', 'content'],
    [230001, 'ext=uuid too long', 'bad_input', 'request'],
    [230002, '', 'target_gone', 'not in the chat'],
    [230011, '', 'target_gone', 'recalled'],
    [230020, '', 'rate_limited', 'chat'],
    [230025, '', 'too_large', 'large'],
    [230072, '', 'target_gone', 'edited'],
    [230099, 'ext=ErrCode: 11310', 'format_refused', 'card'],
    [11310, '', 'format_refused', 'tables'],
    [99991663, '', 'unauthorized', 'token'],
    [10014, '', 'unauthorized', 'Secret'],
    [99991672, '', 'forbidden', 'scope'],
    [11232, '', 'rate_limited', 'tenant'],
    [300317, '', 'conflict', 'newer'],
    [123456, '', 'bad_input', '123456'],
  ];
  for (const [code, message, kind, words] of table) {
    const error = refusal(code, message);
    assert.equal(error.code, kind, String(code));
    assert.ok(error.message.includes(words), error.message);
  }
  assert.equal(refusal(99991400, '', 7).retryAfterMs, 7_000);
  assert.equal(refusal(230020, '').retryAfterMs, 1_000);
});

test('what is thrown around a call', () => {
  const send = { idempotent: false };
  const http = (status: number, data?: unknown, headers: object = {}) => ({ response: { status, data, headers } });
  const table: [unknown, string][] = [
    [http(400, { code: 230002, msg: 'x' }), 'target_gone'],
    [http(429), 'rate_limited'],
    [http(413), 'too_large'],
    [http(404, 'page not found'), 'config_invalid'],
    [http(502, '<html>'), 'unavailable'],
    [http(504), 'uncertain'],
    [{ code: 'ECONNREFUSED' }, 'unavailable'],
    [{ code: 'ECONNRESET' }, 'uncertain'],
    [{ code: 'NO_JSON' }, 'uncertain'],
    [undefined, 'uncertain'],
    [new AntlerError('cancelled', 'x'), 'cancelled'],
  ];
  for (const [thrown, code] of table) assert.equal(feishuError(thrown, send).code, code);
  assert.match(feishuError({ code: 'NO_JSON' }, send).message, /proxy/);
  assert.equal(feishuError({ code: 'ECONNRESET' }, { idempotent: true }).code, 'unavailable');
  const limited = feishuError(http(400, { code: 99991400 }, { 'x-ogw-ratelimit-reset': '3' }), send);
  assert.deepEqual([limited.code, limited.retryAfterMs], ['rate_limited', 3_000]);
});

test('no words of the platform get into an error: they quote messages and tokens', () => {
  const secret = 'Bearer t-secret and the text of a message';
  const error = feishuError(
    { message: secret, response: { status: 400, data: { code: 230001, msg: `${secret}, ext=${secret}` } } },
    { idempotent: false },
  );
  assert.ok(!`${error.message} ${String(error.cause)}`.includes('t-secret'));
});
