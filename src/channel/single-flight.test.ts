import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singleFlight } from './single-flight.ts';

test('who comes while it runs shares its outcome, who comes later has it run anew', async () => {
  let runs = 0;
  const count = singleFlight(async () => {
    runs += 1;
    if (runs === 2) throw new Error('the second');
    return runs;
  });
  assert.deepEqual(await Promise.all([count(), count(), count()]), [1, 1, 1]);
  const outcomes = await Promise.allSettled([count(), count()]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await count(), 3);
});
