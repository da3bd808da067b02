import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, quantile, sum } from './statistics.ts';

test('quantiles lie between their neighbours, whatever the order', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(quantile([10, 20, 30, 40, 50], 0.95), 48);
  assert.equal(quantile([7], 0.95), 7);
  assert.ok(Number.isNaN(median([])));
  assert.equal(sum([1, 2, 3]), 6);
});
