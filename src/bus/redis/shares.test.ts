import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { handsOf, shardOf, shareOf } from './shares.ts';

test('spreads keys over all shards, each always to the same', () => {
  const counts = [0, 0, 0, 0];
  for (let n = 0; n < 4_000; n++) {
    const shard = shardOf(`telegram/${n}`, 4);
    assert.equal(shardOf(`telegram/${n}`, 4), shard);
    counts[shard] = (counts[shard] ?? 0) + 1;
  }
  assert.ok(
    counts.every((count) => count > 800 && count < 1_200),
    String(counts),
  );
});

test('shares hands out so that none is lost, and every shard has one', () => {
  for (let count = 1; count <= 20; count++)
    for (let shards = 1; shards <= 5; shards++) {
      const hands = Array.from({ length: shards }, (_, shard) => handsOf(count, shards, shard));
      const sum = hands.reduce((total, one) => total + one, 0);
      assert.equal(sum, Math.max(count, shards));
      assert.ok(Math.max(...hands) - Math.min(...hands) <= 1);
    }
});

test('shares of a limit never let more through in any time than the limit does', () => {
  const aLimit = fc.record({
    scope: fc.constant('telegram:main'),
    count: fc.integer({ min: 1, max: 100 }),
    windowMs: fc.integer({ min: 1, max: 60_000 }),
  });
  fc.assert(
    fc.property(aLimit, fc.integer({ min: 1, max: 16 }), (limit, shards) => {
      const share = shareOf(limit, '7', shards);
      assert.ok(share.count >= 1 && share.windowMs >= limit.windowMs);
      assert.ok((share.count * shards) / share.windowMs <= limit.count / limit.windowMs);
    }),
  );
});

test('leaves to a chat what is its own', () => {
  const limit = { scope: 'telegram:main:chat:-100', count: 1, windowMs: 1_000 };
  assert.deepEqual(shareOf(limit, '-100', 4), limit);
  assert.deepEqual(shareOf({ ...limit, scope: 'telegram:main' }, '-100', 4).windowMs, 4_000);
});
