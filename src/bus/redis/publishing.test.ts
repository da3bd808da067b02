import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { redisForTests, type Service } from '../../testing/services.ts';
import { done, handlerOf, idle, newInput, newThreadId, payloadsOf } from '../contract/kit.ts';
import { newPrefix, openBus, openClient } from './testing/kit.ts';

let redis: Service;
before(async () => {
  redis = await redisForTests();
});
after(() => redis.stop());

const options = { concurrency: 4, leaseMs: 5_000, maxAttempts: 2 } as const;

test('what is published at one moment goes in a few calls, each input with an answer of its own', async (t) => {
  const bus = await openBus(t, redis.url, newPrefix(), undefined, { maxInbox: 40 });
  const client = openClient(t, redis.url);
  const thread = newThreadId();
  await bus.publish(newInput(thread, 'first'));
  await client.config('RESETSTAT');
  const again = newInput(thread, 'twice');
  const inputs = [...Array.from({ length: 38 }, (_, n) => newInput(thread, n)), again, again, newInput(thread, 'last')];
  const answers = await Promise.all(inputs.map((input) => bus.publish(input)));
  const calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1]);
  assert.ok(calls < 10, `${calls} calls`);
  assert.deepEqual(
    answers.slice(0, 39),
    Array.from({ length: 39 }, (_, n) => ({ status: 'accepted', seq: n + 2, state: 'queued' })),
  );
  assert.deepEqual(answers.slice(39), [{ status: 'duplicate' }, { status: 'full' }]);
});

test('an input that Redis refuses takes none of those down that were published with it', async (t) => {
  const prefix = newPrefix();
  const bus = await openBus(t, redis.url, prefix);
  const client = openClient(t, redis.url);
  const [broken, ...sound] = Array.from({ length: 4 }, newThreadId);
  await client.set(`{${prefix}}:t:${broken}`, 'not a hash');
  const seen: unknown[] = [];
  await bus.work(
    handlerOf(async (turn) => {
      seen.push(...payloadsOf(turn));
      return done(turn);
    }),
    options,
  );
  const publish = (thread = newThreadId()) => bus.publish(newInput(thread, thread));
  const [refused, ...taken] = await Promise.allSettled([publish(broken), ...sound.map(publish)]);
  assert.equal(refused?.status, 'rejected');
  assert.match(String(refused?.reason), /WRONGTYPE/);
  assert.deepEqual(
    taken.map(({ status }) => status),
    sound.map(() => 'fulfilled'),
  );
  for (const thread of sound) await idle(bus, thread);
  assert.deepEqual([...seen].sort(), [...sound].sort());
});
