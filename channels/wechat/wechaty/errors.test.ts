import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOffline, lifeError, taskError, WechatyFault } from './errors.ts';
import { faultOf } from './process/fault.ts';
import { type Fault, faults } from './process/protocol.ts';

/** An error as it comes out of the process that wechaty lives in. */
const through = (message: string, fields: object = {}): Fault => faultOf(Object.assign(new Error(message), fields), []);
const of = (fault: Fault, task: 'text' | 'fetch' = 'text') => taskError(new WechatyFault(fault), task);

test('a failed send says what is known: not sent, refused, or nobody knows', () => {
  const table: [Fault, string, boolean][] = [
    [{ code: faults.notLoggedIn, message: '' }, 'unavailable', true],
    [{ code: faults.lost, message: '' }, 'uncertain', false],
    [{ code: faults.late, message: '' }, 'uncertain', false],
    [
      through('14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED 127.0.0.1:1'),
      'unavailable',
      true,
    ],
    [through('14 UNAVAILABLE: Connection dropped', { code: 14 }), 'uncertain', false],
    [through('14 UNAVAILABLE: Connection dropped', { code: 2 }), 'uncertain', false],
    [through('1 CANCELLED: Call cancelled', { code: 1 }), 'uncertain', false],
    [through('13 INTERNAL: Received RST_STREAM with code 2', { code: 13 }), 'uncertain', false],
    [through('4 DEADLINE_EXCEEDED: late', { code: 4 }), 'uncertain', false],
    [through('connect ECONNREFUSED 10.0.0.1:443', { code: 2 }), 'unavailable', true],
    [through('getaddrinfo EAI_AGAIN wx.qq.com', { code: 'EAI_AGAIN' }), 'unavailable', true],
    [through('read ECONNRESET', { code: 'ECONNRESET' }), 'uncertain', false],
    [through('timeout of 60000ms exceeded', { code: 'ECONNABORTED' }), 'uncertain', false],
    [through('1205 == 0', { code: 'ERR_ASSERTION', actual: 1205 }), 'rate_limited', true],
    [through('1203 == 0', { code: 'ERR_ASSERTION', actual: 1203 }), 'forbidden', false],
    [through('1101 == 0', { code: 'ERR_ASSERTION', actual: 1101 }), 'unavailable', true],
    [through('8 RESOURCE_EXHAUSTED: slow down', { code: 8 }), 'rate_limited', true],
    [through('12 UNIMPLEMENTED: no', { code: 12 }), 'unsupported', false],
    [through('16 UNAUTHENTICATED: Invalid Wechaty TOKEN "x"', { code: 16 }), 'unauthorized', false],
    [through('not a friend', { code: 2 }), 'internal', false],
  ];
  for (const [fault, code, retryable] of table) {
    const error = of(fault);
    assert.deepEqual([error.code, error.retryable], [code, retryable], JSON.stringify(fault));
  }
});

test('a file can be asked for again whatever happened, but not for ever', () => {
  assert.equal(of({ code: faults.lost, message: '' }, 'fetch').code, 'unavailable');
  assert.equal(of(through('read ECONNRESET', { code: 'ECONNRESET' }), 'fetch').code, 'unavailable');
  assert.equal(of({ code: faults.tooLarge, message: '' }, 'fetch').code, 'too_large');
  assert.equal(of(through('id not found'), 'fetch').code, 'not_found');
});

test('a bot that ended says what to do about it', () => {
  assert.equal(lifeError(through('16 UNAUTHENTICATED: Invalid Wechaty TOKEN', { code: 2 })).code, 'unauthorized');
  const sni = 'Wechaty Puppet Service requires a SNI as prefix of the token from version 0.30 and later.';
  assert.match(lifeError(through(sni)).message, /insecure_/);
  assert.equal(lifeError(through('it reports error after error, the last one: 当前登录环境异常。')).code, 'forbidden');
  assert.equal(lifeError(through('anything')).retryable, true);
});

test('the token is in nothing that leaves the process', () => {
  const fault = faultOf(new Error('Invalid Wechaty TOKEN "insecure_abc" insecure_abc'), ['insecure_abc', '']);
  assert.equal(fault.message, 'Invalid Wechaty TOKEN "***" ***');
  for (const thrown of [undefined, null, 5, 'x', {}, { gerror: 'g' }, { data: 7 }, Symbol('s')]) faultOf(thrown, ['t']);
});

test('a network that fails is told from a login that is over', () => {
  assert.equal(isOffline(through('connect ECONNREFUSED 127.0.0.1:9', { code: 2 })), true);
  assert.equal(isOffline(through('1101 == 0', { code: 'ERR_ASSERTION', actual: 1101 })), false);
});
