import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { redisForTests, type Service } from '../../testing/services.ts';
import { done, handlerOf, idle, newDelivery, newInput, newThreadId, until } from '../contract/kit.ts';
import { killed, newPrefix, openBus, openClient, startWorker } from './testing/kit.ts';

let redis: Service;
before(async () => {
  redis = await redisForTests();
});
after(() => redis.stop());

const LEASE_MS = 600;
const options = { concurrency: 2, leaseMs: LEASE_MS, maxAttempts: 2 } as const;

test('a worker is killed in its turn: another takes the thread over, and it is answered once', async (t) => {
  const prefix = newPrefix();
  const bus = await openBus(t, redis.url, prefix);
  const thread = newThreadId();
  const { child, running } = startWorker(t, { mode: 'hang', url: redis.url, prefix, leaseMs: LEASE_MS });
  await bus.publish(newInput(thread, 'a'));
  await running;
  await killed(child);
  const attempts: number[] = [];
  const killedAt = performance.now();
  await bus.work(
    handlerOf(async (turn) => {
      attempts.push(turn.attempt);
      return done(turn, [newDelivery('answer')]);
    }),
    options,
  );
  await idle(bus, thread);
  const tookMs = performance.now() - killedAt;
  assert.deepEqual(attempts, [1]);
  assert.equal(await bus.outbox.pending('telegram', '1'), 1);
  assert.ok(tookMs < LEASE_MS + LEASE_MS / 2 + 3_000, `took ${tookMs} ms`);
});

test('a turn that kills its workers is given up, and the thread goes on with what came later', async (t) => {
  const prefix = newPrefix();
  const bus = await openBus(t, redis.url, prefix);
  const thread = newThreadId();
  const orders = { mode: 'hang', url: redis.url, prefix, leaseMs: LEASE_MS } as const;
  await bus.publish(newInput(thread, 'poison'));
  // Both stand by, so that the second takes over as soon as the first is dead.
  const workers = [startWorker(t, orders), startWorker(t, orders)];
  const [first, second] = await Promise.race(
    workers.map(async (worker, i) => {
      await worker.running;
      return [worker, workers[1 - i] ?? worker] as const;
    }),
  );
  await killed(first.child);
  await second.running;
  await bus.publish(newInput(thread, 'fine'));
  await killed(second.child);
  const given: unknown[] = [];
  const ran: unknown[] = [];
  await bus.work(
    {
      run: async (turn) => {
        ran.push(...turn.inputs.map((input) => input.payload));
        return done(turn);
      },
      giveUp: async (turn) => {
        given.push([turn.attempt, turn.inputs.map((input) => input.payload)]);
        return [newDelivery('sorry')];
      },
    },
    options,
  );
  await idle(bus, thread);
  assert.deepEqual(given, [[2, ['poison']]]);
  assert.deepEqual(ran, ['fine']);
  assert.equal((await bus.deadLetters.list(1))[0]?.thread, thread);
  assert.equal(await bus.outbox.pending('telegram', '1'), 1);
});

test('a worker that computes for longer than its lease keeps its turn', async (t) => {
  const prefix = newPrefix();
  const bus = await openBus(t, redis.url, prefix);
  const thread = newThreadId();
  const leaseMs = 1_200;
  const { running } = startWorker(t, { mode: 'compute', url: redis.url, prefix, leaseMs });
  await bus.publish(newInput(thread, 'a'));
  await running;
  let takenOver = false;
  await bus.work(
    handlerOf(async (turn) => {
      takenOver = true;
      return done(turn);
    }),
    { ...options, leaseMs },
  );
  await idle(bus, thread);
  assert.equal(takenOver, false);
  assert.equal(await bus.outbox.pending('telegram', '1'), 1);
});

test('a worker whose main thread never comes back loses its lease', async (t) => {
  const prefix = newPrefix();
  const client = openClient(t, redis.url);
  const run = { thread: 't1', token: '1:x', job: 't1.1', lock: 'lock' };
  const lock = `{${prefix}}:turns:t1.1:lock`;
  await client.hset(`{${prefix}}:t:t1`, 'tok', run.token);
  const orders = { mode: 'freeze', url: redis.url, prefix, leaseMs: 300, run } as const;
  const { child, running } = startWorker(t, orders);
  await running;
  await until('the lock', async () => (await client.exists(lock)) === 1);
  child.send('freeze');
  await until('the end of the lock', async () => (await client.exists(lock)) === 0);
});

test('a bus that is closed keeps no process alive', async (t) => {
  const { child, running } = startWorker(t, { mode: 'close', url: redis.url, prefix: newPrefix(), leaseMs: LEASE_MS });
  running.catch(() => {});
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
});
