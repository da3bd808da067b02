import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError, type ErrorCode, type ErrorOptions } from '../base/errors.ts';
import { verdictOn } from './verdict.ts';

test('what becomes of a delivery that failed', () => {
  const table: [ErrorCode, ErrorOptions, number, object][] = [
    ['rate_limited', { retryAfterMs: 33_000 }, 0, { kind: 'retry', delayMs: 33_000 }],
    ['unavailable', {}, 0, { kind: 'retry', delayMs: 1_000 }],
    ['unavailable', {}, 3, { kind: 'retry', delayMs: 8_000 }],
    ['unavailable', {}, 100, { kind: 'retry', delayMs: 300_000 }],
    ['unavailable', {}, 289, { kind: 'dead' }],
    ['unauthorized', {}, 0, { kind: 'retry', delayMs: 60_000 }],
    ['uncertain', { retryable: true }, 0, { kind: 'uncertain' }],
    ['target_gone', {}, 0, { kind: 'dead' }],
    ['forbidden', {}, 0, { kind: 'dead' }],
    ['internal', {}, 0, { kind: 'retry', delayMs: 1_000 }],
    ['internal', {}, 4, { kind: 'dead' }],
  ];
  for (const [code, options, attempt, expected] of table) {
    const verdict: object = verdictOn(new AntlerError(code, 'x', options), attempt);
    for (const [key, value] of Object.entries(expected)) {
      assert.equal(Reflect.get(verdict, key), value, `${code} at attempt ${attempt}: ${key}`);
    }
  }
});
