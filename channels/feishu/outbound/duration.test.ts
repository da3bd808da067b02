import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mp4, ogg } from '../fixtures/media.ts';
import { isOpus, mp4Ms, oggMs } from './duration.ts';

test('how long voices and videos last', () => {
  assert.ok(isOpus(ogg(1)));
  assert.equal(oggMs(ogg(61_500)), 61_500);
  assert.equal(mp4Ms(mp4(12)), 12_000);
  assert.equal(mp4Ms(mp4(12, 1)), 12_000);
});

test('what is no voice and no video lasts for no time that is known', () => {
  for (const length of [0, 3, 20, 60]) {
    assert.equal(oggMs(ogg(1_000).subarray(0, length)), undefined);
    assert.equal(mp4Ms(mp4(5).subarray(0, length)), undefined);
  }
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void [isOpus(bytes), oggMs(bytes), mp4Ms(bytes)]));
});
