import assert from 'node:assert/strict';
import { test } from 'node:test';
import { someModel } from '../testing/fake-run.ts';
import { modelError } from './errors.ts';
import { ModelRefusal } from './refusal.ts';

const refusals: Record<string, [number | undefined, unknown, string, boolean]> = {
  'a wrong key': [401, {}, 'unauthorized', false],
  'a forbidden region': [403, {}, 'unauthorized', false],
  'no balance': [402, { message: 'Insufficient Balance' }, 'no_credit', false],
  'no balance at SiliconFlow': [
    403,
    { code: 30001, message: 'Sorry, your account balance is insufficient' },
    'no_credit',
    false,
  ],
  'an account in arrears at Zhipu': [
    429,
    { error: { code: '1113', message: '您的账户已欠费，请充值后重试。' } },
    'no_credit',
    false,
  ],
  'used-up quota': [429, { code: 'insufficient_quota' }, 'no_credit', false],
  'too many requests': [429, { code: 'rate_limit_exceeded' }, 'rate_limited', true],
  'an outage whose text speaks of quota and permission': [
    503,
    { message: 'quota service permission' },
    'unavailable',
    true,
  ],
  'a gateway that waited': [504, 'timeout', 'timeout', true],
  'a conflict': [409, {}, 'unavailable', true],
  'an unknown path': [404, { message: 'Not Found' }, 'not_found', false],
  'an unknown model': [404, { message: 'The model `x` does not exist' }, 'not_found', false],
  'an unknown model as 400': [400, { message: 'Model Not Exist' }, 'not_found', false],
  'too long, by code': [400, { code: 'context_length_exceeded' }, 'context_too_long', false],
  'too long, by words': [
    400,
    { message: "This model's maximum context length is 8192 tokens" },
    'context_too_long',
    false,
  ],
  'too long, as a server error': [
    500,
    { message: 'the request exceeds the available context size' },
    'context_too_long',
    false,
  ],
  'too large': [413, {}, 'context_too_long', false],
  'refused content': [400, { code: 'content_filter' }, 'content_refused', false],
  'refused content at Alibaba': [400, { code: 'data_inspection_failed' }, 'content_refused', false],
  'anything else': [400, { message: 'bad' }, 'bad_input', false],
  'in the stream, with a status': [undefined, { error: { code: 503, message: 'x' } }, 'unavailable', true],
  'in the stream, with a status as text': [undefined, { error: { code: '429' } }, 'rate_limited', true],
  'in the stream, overloaded': [undefined, { error: { type: 'overloaded_error' } }, 'unavailable', true],
  'in the stream, as a word': [undefined, { error: 'boom' }, 'stream_broken', true],
};
for (const [name, [status, body, code, retryable]] of Object.entries(refusals))
  test(`${name} is ${code}`, () => {
    const error = modelError(someModel, new ModelRefusal(status, body));
    assert.deepEqual([error.code, error.retryable], [code, retryable]);
  });

test('a wait is capped, and the message tells model and host but nothing the endpoint said', () => {
  const model = { ...someModel, baseUrl: 'https://user:pass@api.example.com/v1' };
  const error = modelError(model, new ModelRefusal(429, { message: 'key sk-123 is over its rate' }, 3_600_000));
  assert.equal(error.retryAfterMs, 60_000);
  assert.equal(error.message, 'model main (test-model at api.example.com): too many requests (HTTP 429)');
});

test('failures of the network are told by their code, however deep it is buried', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const wrapped = new Error('Connection error.', {
    cause: new TypeError('fetch failed', { cause: new AggregateError([refused]) }),
  });
  assert.match(modelError(someModel, wrapped).message, /connection refused/);
  const slow = new Error('x', { cause: Object.assign(new Error('y'), { code: 'UND_ERR_HEADERS_TIMEOUT' }) });
  assert.equal(modelError(someModel, slow).code, 'timeout');
  const untrusted = Object.assign(new Error('x'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  assert.equal(modelError(someModel, untrusted).retryable, false);
  assert.equal(
    modelError(someModel, new Error('Bearer sk-123 is an invalid header value')).message.includes('sk-'),
    false,
  );
});
