import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { redisForTests, type Service } from '../../testing/services.ts';
import { done, handlerOf, newDelivery, newDraft, newInput, newThreadId, unique, until } from '../contract/kit.ts';
import { newPrefix, openBus, openClient } from './testing/kit.ts';

let redis: Service;
before(async () => {
  redis = await redisForTests();
});
after(() => redis.stop());

const options = { concurrency: 20, leaseMs: 5_000, maxAttempts: 2 } as const;
const POLICIES = ['collect', 'queue', 'steer', 'interrupt', 'reject'] as const;

/** Runs `threads` conversations in as many chats through all that a bus can do, to their end. */
async function live(t: Parameters<typeof openBus>[0], prefix: string, threads: number): Promise<void> {
  const bus = await openBus(t, redis.url, prefix);
  await bus.work(
    handlerOf(async (turn) => {
      const [, chat = ''] = turn.chat.split('/');
      const stream = unique('stream');
      await turn.draft(newDraft(stream, 'a stand', chat));
      await turn.steered();
      if (turn.attempt === 0 && turn.inputs[0]?.seq === 1) return { kind: 'retry', delayMs: 1, error: 'once' };
      const limits = [{ scope: `telegram:chat:${chat}`, count: 50, windowMs: 1_000 }];
      return done(turn, [newDelivery('answer', { chat, limits, stream: { id: stream, part: 0, last: true } })]);
    }),
    options,
  );
  await bus.outbox.send(
    ['telegram'],
    async (outgoing) => {
      if (outgoing.kind === 'delivery' && outgoing.attempt === 0)
        return { kind: 'retry', delayMs: 1, error: 'busy', pause: `telegram:chat:${outgoing.delivery.target.chat}` };
      return { kind: 'sent', shown: ['m1'] };
    },
    { concurrency: 20, leaseMs: 5_000 },
  );
  await bus.pause('telegram');
  for (let n = 0; n < threads; n++) {
    const thread = newThreadId();
    const quiet = { whenIdleMs: n % 3 === 0 ? 20 : 0, whenBusyMs: 20, mostMs: 100 };
    for (const busy of [POLICIES[n % 5] ?? 'collect', 'collect'] as const)
      await bus.publish({ ...newInput(thread, 'hi', `telegram/${n}`), user: `user ${n % 7}`, busy, quiet });
    const late = newInput(thread, 'taken back', `telegram/${n}`);
    await bus.publish(late);
    await bus.withdraw(thread, late.dedupeKey);
    await bus.claims.claim(`claim ${n}`, 60_000);
    await bus.claims.complete(`claim ${n}`);
    await (await bus.leases.acquire(`lease ${n}`, 60_000))?.release();
  }
  await bus.resume('telegram');
  await until('the end', async () => {
    const { queuedThreads, runningThreads, pendingDeliveries } = await bus.stats();
    return queuedThreads + runningThreads + pendingDeliveries === 0;
  });
  await bus.bury('nobody');
  await bus.close();
}

test('what is over leaves nothing behind that does not end by itself', async (t) => {
  const client = openClient(t, redis.url);
  const counts: number[] = [];
  for (const threads of [20, 60]) {
    const prefix = newPrefix();
    await live(t, prefix, threads);
    const keys = await client.keys(`{${prefix}}*`);
    assert.ok(keys.length > threads, `${keys.length} keys`);
    const left: string[] = [];
    for (const key of keys) {
      // As if a hundred days had passed: what has an end has met it.
      const ttl = await client.ttl(key);
      assert.ok(ttl <= 92 * 86_400, `${key} stays for ${ttl} s`);
      // -2: it has ended since it was listed.
      if (ttl === -1) left.push(key.slice(`{${prefix}}:`.length));
    }
    counts.push(left.length);
    assert.deepEqual(
      left.filter(
        (key) => !['count', 'channels', 'turns:id', 'turns:meta', 'turns:events', 'turns:marker'].includes(key),
      ),
      [],
    );
  }
  assert.equal(counts[0], counts[1]);
});
