import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import { redisForTests, type Service, startRedis } from '../../testing/services.ts';
import { abortReason } from '../abort.ts';
import { done, gate, handlerOf, idle, newDelivery, newInput, newThreadId, payloadsOf, until } from '../contract/kit.ts';
import type { MessageBus } from '../port.ts';
import { newPrefix, openBus, openClient } from './testing/kit.ts';
import { startProxy } from './testing/proxy.ts';

let redis: Service;
before(async () => {
  redis = await redisForTests();
});
after(() => redis.stop());

const SILENCE_MS = 700;
const options = { concurrency: 4, leaseMs: 1_500, maxAttempts: 5 } as const;
const refused = { name: 'AntlerError', code: 'unavailable', retryable: true };

/** As a platform does: what was not accepted comes again. */
async function publishUntilTaken(bus: MessageBus, input: Parameters<MessageBus['publish']>[0]): Promise<void> {
  await until('a publish', () =>
    bus.publish(input).then(
      () => true,
      () => false,
    ),
  );
}

async function openBehindProxy(t: TestContext) {
  const proxy = await startProxy(redis.url);
  const bus = await openBus(t, proxy.url, newPrefix(), silentLogger, { silenceMs: SILENCE_MS });
  t.after(() => proxy.close());
  return { proxy, bus };
}

/** Works and sends, and tells what was answered and sent. */
async function serve(bus: MessageBus) {
  const answered: unknown[] = [];
  const sent: string[] = [];
  await bus.work(
    handlerOf(async (turn) => {
      answered.push(...payloadsOf(turn));
      return done(turn, [newDelivery(String(payloadsOf(turn)), { id: `${turn.thread}.${turn.inputs[0]?.seq}` })]);
    }),
    options,
  );
  await bus.outbox.send(
    ['telegram'],
    async (outgoing) => {
      if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
      return { kind: 'sent' };
    },
    { concurrency: 2, leaseMs: 5_000 },
  );
  return { answered, sent };
}

test('connections on which nothing comes any more, while nothing says so, are opened anew', async (t) => {
  const { proxy, bus } = await openBehindProxy(t);
  const { answered, sent } = await serve(bus);
  const thread = newThreadId();
  await bus.publish(newInput(thread, 'before'));
  await until('an answer', () => sent.length === 1);
  proxy.freeze();
  const from = performance.now();
  await publishUntilTaken(bus, newInput(thread, 'after'));
  await until('the next answer', () => sent.length === 2);
  t.diagnostic(`${Math.round(performance.now() - from)} ms`);
  assert.deepEqual(answered, ['before', 'after']);
  assert.deepEqual(sent, ['before', 'after']);
});

test('a run outlives a cut of the network, and is answered once', async (t) => {
  const { proxy, bus } = await openBehindProxy(t);
  const thread = newThreadId();
  const started = gate();
  const go = gate();
  const reasons: unknown[] = [];
  let runs = 0;
  await bus.work(
    handlerOf(async (turn) => {
      runs++;
      started.open();
      await go.passed;
      reasons.push(abortReason(turn.signal));
      return done(turn, [newDelivery('answer', { id: `${thread}.answer` })]);
    }),
    { ...options, leaseMs: 5_000 },
  );
  await bus.publish(newInput(thread, 'a'));
  await started.passed;
  proxy.freeze();
  go.open();
  await idle(bus, thread).catch(() => idle(bus, thread));
  assert.deepEqual([runs, reasons], [1, [null]]);
  assert.equal((await bus.stats()).pendingDeliveries, 1);
});

test('a slow Redis slows things down, and loses nothing', async (t) => {
  const { proxy, bus } = await openBehindProxy(t);
  const { answered, sent } = await serve(bus);
  proxy.slow(150);
  const thread = newThreadId();
  for (let n = 0; n < 5; n++) await bus.publish({ ...newInput(thread, n), busy: 'queue' });
  await until('all sent', () => sent.length === 5);
  assert.deepEqual(answered, [0, 1, 2, 3, 4]);
  assert.deepEqual(sent, ['0', '1', '2', '3', '4']);
});

test('a Redis slower than a platform waits refuses at once what it cannot take in time', async (t) => {
  const { proxy, bus } = await openBehindProxy(t);
  proxy.slow(10_000);
  const from = performance.now();
  await assert.rejects(bus.publish(newInput(newThreadId(), 'a')), refused);
  assert.ok(performance.now() - from < 4_000);
});

test('after a failover the old primary answers as a replica: nothing is lost, and it goes on with the new one', async (t) => {
  const [server, upstream] = await Promise.all([startRedis(), startRedis()]);
  t.after(() => Promise.all([server.stop(), upstream.stop()]));
  const bus = await openBus(t, server.url, newPrefix());
  const control = openClient(t, server.url);
  const thread = newThreadId();
  const started = gate();
  const go = gate();
  const answered: unknown[] = [];
  await bus.work(
    handlerOf(async (turn) => {
      answered.push(...payloadsOf(turn));
      started.open();
      await go.passed;
      return done(turn);
    }),
    options,
  );
  await bus.publish(newInput(thread, 'before'));
  await started.passed;
  // Replicating from a server that refuses it keeps its own data and takes no writes: what a demoted primary does.
  await openClient(t, upstream.url).config('SET', 'requirepass', 'other');
  await control.replicaof('127.0.0.1', new URL(upstream.url).port);
  await assert.rejects(bus.publish(newInput(thread, 'refused')), refused);
  go.open();
  await until('a check that says so', () =>
    bus.check().then(
      () => false,
      (thrown: Error) => /replica|slave/.test(thrown.message),
    ),
  );
  await control.replicaof('NO', 'ONE');
  await publishUntilTaken(bus, newInput(thread, 'after'));
  await idle(bus, thread);
  assert.deepEqual(answered, ['before', 'after']);
});

test('a message counts as stored only when enough replicas have it', async (t) => {
  const primary = await startRedis({ args: ['--repl-diskless-sync-delay', '0'] });
  t.after(() => primary.stop());
  const bus = await openBus(t, primary.url, newPrefix(), silentLogger, { waitReplicas: 1 });
  const input = newInput(newThreadId(), 'a');
  await assert.rejects(bus.publish(input), { ...refused, message: /replicas/ });
  const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', new URL(primary.url).port] });
  t.after(() => replica.stop());
  // It was written, and is known again; now it is safe, too.
  await until('the replica', () =>
    bus.publish(input).then(
      ({ status }) => status === 'duplicate',
      () => false,
    ),
  );
  await publishUntilTaken(bus, newInput(newThreadId(), 'b'));
});

test('a holder that Redis cannot be reached from lets go before somebody else can have its lease', async (t) => {
  const proxy = await startProxy(redis.url);
  t.after(() => proxy.close());
  const prefix = newPrefix();
  const [cutOff, other] = [await openBus(t, proxy.url, prefix), await openBus(t, redis.url, prefix)];
  const lease = await cutOff.leases.acquire('connection', 600);
  assert.ok(lease !== null);
  proxy.freeze();
  await until('the lease to be free', async () => (await other.leases.acquire('connection', 600)) !== null);
  assert.equal(lease.lost.aborted, true);
});
