import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AntlerError } from '../base/errors.ts';
import { backoffMs } from './backoff.ts';

test('waits double from half a second to a minute, whatever was thrown', () => {
  fc.assert(
    fc.property(fc.nat(), fc.anything(), (attempt, thrown) => {
      const waitMs = backoffMs(attempt, thrown);
      assert.ok(waitMs >= 500 && waitMs <= 60_000);
      assert.equal(backoffMs(attempt + 1), Math.min(60_000, waitMs * 2));
    }),
  );
});

test('what an error asks for counts', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (attempt, retryAfterMs) => {
      assert.equal(backoffMs(attempt, new AntlerError('rate_limited', 'Slow down.', { retryAfterMs })), retryAfterMs);
    }),
  );
});
