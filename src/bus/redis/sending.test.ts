import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { redisForTests, type Service } from '../../testing/services.ts';
import { newDelivery, until } from '../contract/kit.ts';
import { newPrefix, openBus } from './testing/kit.ts';

let redis: Service;
before(async () => {
  redis = await redisForTests();
});
after(() => redis.stop());

test('an idle outbox is told of a delivery, it does not poll for it', async (t) => {
  const bus = await openBus(t, redis.url, newPrefix());
  const waits: number[] = [];
  let enqueuedAt = 0;
  await bus.outbox.send(
    ['telegram'],
    async () => {
      waits.push(performance.now() - enqueuedAt);
      return { kind: 'sent' };
    },
    { concurrency: 2, leaseMs: 5_000 },
  );
  for (let n = 1; n <= 20; n++) {
    await until('quiet', async () => (await bus.stats()).pendingDeliveries === 0);
    enqueuedAt = performance.now();
    await bus.outbox.enqueue([newDelivery('hello')]);
    await until('the delivery', () => waits.length === n);
  }
  const median = waits.sort((a, b) => a - b)[10] ?? 0;
  t.diagnostic(`median ${median.toFixed(2)} ms`);
  assert.ok(median < 100, `median ${median} ms`);
});
