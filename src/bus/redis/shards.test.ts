import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import { redisForTests, type Service } from '../../testing/services.ts';
import { done, handlerOf, idle, newDelivery, newInput, newThreadId, payloadsOf, until } from '../contract/kit.ts';
import { createRedisBus } from './index.ts';
import { shardOf } from './shares.ts';
import { redisContract } from './testing/contract.ts';
import { newPrefix, openClient } from './testing/kit.ts';

redisContract('redis in shards', 2);

let redis: Service;
before(async () => {
  redis = await redisForTests();
});
after(() => redis.stop());

const chatIn = (shard: number): string => {
  for (let n = 0; ; n++) if (shardOf(`telegram/${n}`, 2) === shard) return String(n);
};

test('a conversation that goes on in a chat of another shard still has one inbox, and answers all', async (t) => {
  const prefix = newPrefix();
  const bus = await createRedisBus({ url: redis.url, prefix, log: silentLogger, shards: 2 });
  const other = await createRedisBus({ url: redis.url, prefix, log: silentLogger, shards: 2 });
  t.after(() => Promise.all([bus.close({ graceMs: 0 }), other.close({ graceMs: 0 })]));
  const thread = newThreadId();
  let active = 0;
  const turns: unknown[][] = [];
  const sent: string[] = [];
  await bus.work(
    handlerOf(async (turn) => {
      assert.equal(++active, 1);
      turns.push(payloadsOf(turn));
      await new Promise((resolve) => setTimeout(resolve, 5));
      active--;
      const [, chat = ''] = turn.chat.split('/');
      return done(turn, [newDelivery(`answer to ${payloadsOf(turn)}`, { chat })]);
    }),
    { concurrency: 4, leaseMs: 5_000, maxAttempts: 3 },
  );
  await bus.outbox.send(
    ['telegram'],
    async (outgoing) => {
      if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
      return { kind: 'sent' };
    },
    { concurrency: 4, leaseMs: 5_000 },
  );
  for (let n = 0; n < 6; n++) {
    const from = n % 2 === 0 ? bus : other;
    await from.publish({ ...newInput(thread, n, `telegram/${chatIn(n % 2)}`), busy: 'queue' });
  }
  await idle(other, thread);
  await until('all sent', async () => (await bus.stats()).pendingDeliveries === 0);
  assert.deepEqual(turns, [[0], [1], [2], [3], [4], [5]]);
  assert.deepEqual(sent.length, 6);
});

test('all keys of a shard carry its hash tag', async (t) => {
  const prefix = newPrefix();
  const bus = await createRedisBus({ url: redis.url, prefix, log: silentLogger, shards: 2 });
  t.after(() => bus.close({ graceMs: 0 }));
  for (const shard of [0, 1]) {
    await bus.publish(newInput(newThreadId(), 'a', `telegram/${chatIn(shard)}`));
    await bus.outbox.enqueue([newDelivery('a', { chat: chatIn(shard) })]);
  }
  const keys = await openClient(t, redis.url).keys(`*${prefix}*`);
  const tags = new Set(keys.map((key) => /^\{([^}]*)\}:/.exec(key)?.[1]));
  assert.deepEqual([...tags].sort(), [`${prefix}:0`, `${prefix}:1`]);
});
