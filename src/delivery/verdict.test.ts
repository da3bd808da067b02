import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AntlerError, type ErrorCode, type ErrorOptions } from '../base/errors.ts';
import { verdictOn } from './verdict.ts';

test('what becomes of a delivery that failed', () => {
  const table: [ErrorCode, ErrorOptions, number, object][] = [
    ['rate_limited', { retryAfterMs: 33_000 }, 0, { kind: 'retry', delayMs: 33_000 }],
    ['unavailable', {}, 0, { kind: 'retry', delayMs: 1_000 }],
    ['unavailable', {}, 3, { kind: 'retry', delayMs: 8_000 }],
    ['unavailable', {}, 100, { kind: 'retry', delayMs: 60_000 }],
    ['unavailable', {}, 1_445, { kind: 'dead' }],
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

test('whatever fails, and however often: only what may have been sent is uncertain, and no wait is endless', () => {
  const codes = [
    'uncertain',
    'rate_limited',
    'unavailable',
    'timeout',
    'conflict',
    'unauthorized',
    'forbidden',
  ] as const;
  fc.assert(
    fc.property(fc.constantFrom(...codes), fc.boolean(), fc.nat({ max: 3_000 }), (code, retryable, attempt) => {
      const verdict = verdictOn(new AntlerError(code, 'x', { retryable }), attempt);
      assert.equal(verdict.kind === 'uncertain', code === 'uncertain');
      if (verdict.kind === 'retry') assert.ok(verdict.delayMs >= 1_000 && verdict.delayMs <= 60_000);
      if (attempt >= 1_445) assert.notEqual(verdict.kind, 'retry');
    }),
  );
});
