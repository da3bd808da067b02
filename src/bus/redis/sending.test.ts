import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { redisForTests, type Service } from '../../testing/services.ts';
import { newDelivery, until } from '../contract/kit.ts';
import { newPrefix, openBus, openClient } from './testing/kit.ts';

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

test('a send that takes long stays with its sender; what a dead sender had in hand is free within seconds', async (t) => {
  const prefix = newPrefix();
  const [slow, other] = [await openBus(t, redis.url, prefix), await openBus(t, redis.url, prefix)];
  const seen: string[] = [];
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  await slow.outbox.enqueue([newDelivery('slow')]);
  await slow.outbox.send(
    ['telegram'],
    async () => {
      seen.push('slow');
      await go;
      return { kind: 'sent' };
    },
    { concurrency: 1, leaseMs: 60_000 },
  );
  await until('the slow send', () => seen.length === 1);
  const client = await openClient(t, redis.url);
  const [flights] = await client.keys(`{${prefix}}:fl:*`);
  const [, before = '0'] = await client.zrange(flights ?? '', '0', '0', 'WITHSCORES');
  await until('a sign of life', async () => {
    const [, now = '0'] = await client.zrange(flights ?? '', '0', '0', 'WITHSCORES');
    return Number(now) > Number(before);
  });
  const [seconds] = await client.time();
  const [, lease = '0'] = await client.zrange(flights ?? '', '0', '0', 'WITHSCORES');
  assert.ok(Number(lease) - Number(seconds) * 1_000 < 8_000, 'free within seconds once there is no sign of life');
  release();
  await until('the end', async () => (await other.stats()).pendingDeliveries === 0);
  assert.deepEqual(await other.deadLetters.list(10), []);
});

test('a sender that was stopped leaves no timer behind, once what it had in hand is sent', async (t) => {
  const bus = await openBus(t, redis.url, newPrefix());
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  let busy = false;
  const begun = t.mock.method(globalThis, 'setInterval');
  const ended = t.mock.method(globalThis, 'clearInterval');
  const sending = await bus.outbox.send(
    ['telegram'],
    async () => {
      busy = true;
      await go;
      return { kind: 'sent' };
    },
    { concurrency: 1, leaseMs: 60_000 },
  );
  const timers = begun.mock.calls.map(({ result }) => result);
  assert.equal(timers.length, 1);
  const left = () => timers.filter((timer) => !ended.mock.calls.some(({ arguments: [one] }) => one === timer));
  await bus.outbox.enqueue([newDelivery('slow')]);
  await until('the send', () => busy);
  await sending.stop();
  assert.equal(left().length, 1, 'it goes on giving signs of life');
  release();
  await until('the end of the timer', () => left().length === 0);
});
