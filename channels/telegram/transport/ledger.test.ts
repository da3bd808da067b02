import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backoffMs } from '../../../src/channel/backoff.ts';
import { Lanes } from '../../../src/channel/lanes.ts';
import { Ledger } from './ledger.ts';

test('the offset rises to the first update that is not taken in', () => {
  const ledger = new Ledger();
  assert.equal(ledger.offset(), undefined);
  for (const id of [10, 11, 12]) assert.ok(ledger.open(id));
  ledger.done(12);
  assert.equal(ledger.offset(), undefined);
  ledger.done(10);
  assert.equal(ledger.offset(), 11);
  ledger.confirmed(11);
  assert.equal(ledger.offset(), undefined);
  assert.ok(!ledger.open(12), 'what Telegram tells again is known');
  assert.ok(ledger.hasOpen);
  ledger.done(11);
  assert.equal(ledger.offset(), 13);
  ledger.confirmed(13);
  assert.ok(!ledger.hasOpen);
});

test('update numbers may start anew lower than before', () => {
  const ledger = new Ledger();
  ledger.open(900_000_000);
  ledger.done(900_000_000);
  ledger.confirmed(900_000_001);
  assert.equal(ledger.offset(), undefined);
  assert.ok(ledger.open(5));
  ledger.done(5);
  assert.equal(ledger.offset(), 6);
});

test('a lane keeps its order, lanes do not wait for each other, a failed job holds up nobody', async () => {
  const lanes = new Lanes();
  const trace: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lanes.run('a', async () => {
    await gate.promise;
    trace.push('a1');
    throw new Error('fails');
  });
  const second = lanes.run('a', async () => void trace.push('a2'));
  await lanes.run('b', async () => void trace.push('b'));
  gate.resolve();
  await assert.rejects(first, /fails/);
  await second;
  await lanes.idle();
  assert.deepEqual(trace, ['b', 'a1', 'a2']);
});

test('waits grow to ten seconds and differ by chance', () => {
  assert.equal(
    backoffMs(1, () => 0),
    250,
  );
  assert.equal(
    backoffMs(1, () => 1),
    500,
  );
  assert.equal(
    backoffMs(3, () => 1),
    2_000,
  );
  assert.equal(
    backoffMs(1_000, () => 1),
    10_000,
  );
});
