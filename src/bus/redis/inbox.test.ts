import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { redisForTests, type Service } from '../../testing/services.ts';
import { done, handlerOf, idle, newInput, newThreadId, until } from '../contract/kit.ts';
import { newPrefix, openBus, openClient } from './testing/kit.ts';

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
  // As if the publisher had died between the script and the adding of the job, a while ago.
  await client.del(`{${prefix}}:turns:${thread}.1`, `{${prefix}}:turns:wait`, `{${prefix}}:turns:marker`);
  await client.zadd(`{${prefix}}:queued`, 1, thread);
  await bus.work(
    handlerOf(async (turn) => done(turn)),
    options,
  );
  await idle(bus, thread);
});
