import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { redisForTests, type Service } from '../../testing/services.ts';
import { abortReason } from '../abort.ts';
import { done, gate, handlerOf, idle, newDelivery, newInput, newThreadId } from '../contract/kit.ts';
import { newPrefix, openBus, openClient, recordingLogger } from './testing/kit.ts';

let redis: Service;
before(async () => {
  redis = await redisForTests();
});
after(() => redis.stop());

const options = { concurrency: 2, leaseMs: 600, maxAttempts: 2 } as const;

test('a run that was taken over is told, and writes nothing', async (t) => {
  const prefix = newPrefix();
  const { log, lines } = recordingLogger();
  const bus = await openBus(t, redis.url, prefix, log);
  const client = openClient(t, redis.url);
  const thread = newThreadId();
  const started = gate();
  const reason = gate<unknown>();
  await bus.work(
    handlerOf(async (turn) => {
      turn.signal.addEventListener('abort', () => reason.open(abortReason(turn.signal)), { once: true });
      started.open();
      await reason.passed;
      return done(turn, [newDelivery('from the grave')]);
    }),
    options,
  );
  await bus.publish(newInput(thread, 'a'));
  await started.passed;
  await client.hset(`{${prefix}}:t:${thread}`, 'tok', 'somebody else');
  assert.equal(await reason.passed, 'fenced');
  await bus.close();
  assert.equal(await client.llen(`{${prefix}}:in:${thread}`), 1);
  assert.equal(await client.exists(`{${prefix}}:q:telegram/1`), 0);
  assert.deepEqual(lines, []);
});

test('a cancel reaches the run although its message was lost', async (t) => {
  const prefix = newPrefix();
  const bus = await openBus(t, redis.url, prefix);
  const client = openClient(t, redis.url);
  const thread = newThreadId();
  const started = gate();
  const reason = gate<unknown>();
  await bus.work(
    handlerOf(async (turn) => {
      turn.signal.addEventListener('abort', () => reason.open(abortReason(turn.signal)), { once: true });
      started.open();
      await reason.passed;
      return done(turn);
    }),
    options,
  );
  await bus.publish(newInput(thread, 'a'));
  await started.passed;
  const state = `{${prefix}}:t:${thread}`;
  await client.hset(state, 'cancel', `${await client.hget(state, 'turn')}:interrupt`);
  assert.equal(await reason.passed, 'interrupt');
  await idle(bus, thread);
  assert.equal(await client.hexists(state, 'cancel'), 0);
});

test('an answer that cannot be stored is a failed turn, and so are the words about it', async (t) => {
  const bus = await openBus(t, redis.url, newPrefix());
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const endless = { ...newDelivery('x'), target: circular as never };
  await bus.work(
    handlerOf(
      async (turn) => done(turn, [endless]),
      async () => [endless],
    ),
    { ...options, maxAttempts: 1 },
  );
  const thread = newThreadId();
  await bus.publish(newInput(thread, 'a'));
  await idle(bus, thread);
  const [letter] = await bus.deadLetters.list(1);
  assert.equal(letter?.thread, thread);
  assert.match(letter?.error ?? '', /circular/);
});

test('a turn that ends while another thread waits for more of its burst is no trouble in the log', async (t) => {
  const prefix = newPrefix();
  const { log, lines } = recordingLogger();
  const bus = await openBus(t, redis.url, prefix, log);
  await bus.work(
    handlerOf(async (turn) => done(turn)),
    options,
  );
  const hour = 3_600_000;
  await bus.publish({
    ...newInput(newThreadId(), 'more follows'),
    quiet: { whenIdleMs: hour, whenBusyMs: hour, mostMs: hour },
  });
  const thread = newThreadId();
  await bus.publish(newInput(thread, 'a'));
  await idle(bus, thread);
  await bus.close();
  assert.deepEqual(lines, []);
});
