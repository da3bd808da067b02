import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Queue } from 'bullmq';
import { redisForTests, type Service } from '../../testing/services.ts';
import { done, handlerOf, idle, newInput, newThreadId, until } from '../contract/kit.ts';
import { newPrefix, openBus, openClient } from './testing/kit.ts';
import { QUEUE } from './wake.ts';

let redis: Service;
before(async () => {
  redis = await redisForTests();
});
after(() => redis.stop());

const options = { concurrency: 2, leaseMs: 600, maxAttempts: 2 } as const;

test('a message that comes again after many hours is still known', async (t) => {
  const prefix = newPrefix();
  const bus = await openBus(t, redis.url, prefix);
  const client = openClient(t, redis.url);
  const input = newInput(newThreadId(), 'a');
  await bus.publish(input);
  const [key = ''] = await client.keys(`{${prefix}}:seen:*`);
  assert.ok((await client.pttl(key)) > 12 * 3_600_000);
  assert.deepEqual(await bus.publish(input), { status: 'duplicate' });
  await client.pexpire(key, 1);
  await until('its end', async () => (await client.exists(key)) === 0);
  assert.equal((await bus.publish(input)).status, 'accepted');
});

test('a wake-up that was lost is added again', async (t) => {
  const prefix = newPrefix();
  const bus = await openBus(t, redis.url, prefix);
  const client = openClient(t, redis.url);
  const thread = newThreadId();
  await bus.publish(newInput(thread, 'a'));
  // As if BullMQ had given it up, a while ago.
  await client.del(`{${prefix}}:turns:${thread}.1`, `{${prefix}}:turns:wait`, `{${prefix}}:turns:marker`);
  await client.zadd(`{${prefix}}:queued`, 1, thread);
  await bus.work(
    handlerOf(async (turn) => done(turn)),
    options,
  );
  await idle(bus, thread);
});

test('a wake-up is a job as BullMQ itself reads it, at once or after a while', async (t) => {
  const prefix = newPrefix();
  const bus = await openBus(t, redis.url, prefix);
  const queue = new Queue(QUEUE, { connection: openClient(t, redis.url), prefix: `{${prefix}}` });
  const [now, later] = [newThreadId(), newThreadId()];
  await bus.publish(newInput(now, 'a'));
  const quiet = { whenIdleMs: 60_000, whenBusyMs: 60_000, mostMs: 120_000 };
  await bus.publish({ ...newInput(later, 'a'), quiet });
  const [waiting] = await queue.getWaiting();
  assert.deepEqual([waiting?.id, waiting?.data], [`${now}.1`, { thread: now, gen: 1 }]);
  const [delayed] = await queue.getDelayed();
  assert.deepEqual([delayed?.id, delayed?.data, delayed?.delay], [`${later}.1`, { thread: later, gen: 1 }, 60_000]);
  assert.equal(await delayed?.getState(), 'delayed');
  await delayed?.promote();
  const seen: unknown[] = [];
  await bus.work(
    handlerOf(async (turn) => {
      seen.push(turn.thread);
      return done(turn);
    }),
    options,
  );
  await idle(bus, now);
  assert.deepEqual(seen, [now]);
  await until('both jobs are done', async () => (await queue.getJobCountByTypes('waiting', 'active')) === 0);
});
