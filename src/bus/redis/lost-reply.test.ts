import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { newRunId } from '../../base/ids.ts';
import { type Logger, silentLogger } from '../../base/logger.ts';
import { redisForTests, type Service } from '../../testing/services.ts';
import { done, handlerOf, idle, newDelivery, newInput, newThreadId, until } from '../contract/kit.ts';
import { createRedisBus } from './index.ts';
import { newPrefix, recordingLogger } from './testing/kit.ts';
import { startProxy } from './testing/proxy.ts';

let redis: Service;
before(async () => {
  redis = await redisForTests();
  await warmUp();
});
after(() => redis.stop());

const options = { concurrency: 2, leaseMs: 5_000, maxAttempts: 3 } as const;

/** Makes Redis know the scripts, so that the reply which gets lost is the script's and not `NOSCRIPT`. */
async function warmUp(): Promise<void> {
  const bus = await createRedisBus({ url: redis.url, prefix: newPrefix(), log: silentLogger });
  const thread = newThreadId();
  await bus.work(
    handlerOf(async (turn) => done(turn, [newDelivery('warm')])),
    options,
  );
  await bus.outbox.send(['telegram'], async () => ({ kind: 'sent' }), { concurrency: 1, leaseMs: 5_000 });
  await bus.publish(newInput(thread, 'warm'));
  await idle(bus, thread);
  await until('sent', async () => (await bus.stats()).pendingDeliveries === 0);
  await bus.close();
}

/** A bus behind a proxy that loses replies. */
async function openBehindProxy(t: TestContext, log: Logger = silentLogger) {
  const proxy = await startProxy(redis.url);
  const bus = await createRedisBus({ url: proxy.url, prefix: newPrefix(), log });
  t.after(async () => {
    await bus.close({ graceMs: 0 });
    await proxy.close();
  });
  return { bus, proxy };
}

test('the reply to a commit is lost: it is sent again and answered as the first time', async (t) => {
  const { log, lines } = recordingLogger();
  const { bus, proxy } = await openBehindProxy(t, log);
  const thread = newThreadId();
  const turns: (string | null)[] = [];
  const commit = newRunId();
  let lost: Promise<void> | undefined;
  await bus.work(
    handlerOf(async (turn) => {
      turns.push(turn.lastCommit);
      if (turns.length > 1) return done(turn);
      // The answer to be given again is the one that says "go on with the next turn".
      await bus.publish(newInput(thread, 'b'));
      lost = proxy.loseReply(commit);
      return { kind: 'done', commit, ackSeq: 1, deliveries: [newDelivery('answer')] };
    }),
    options,
  );
  await bus.publish(newInput(thread, 'a'));
  await until('both turns', () => turns.length === 2);
  await idle(bus, thread);
  await lost;
  assert.deepEqual(turns, [null, commit]);
  assert.equal(await bus.outbox.pending('telegram', '1'), 1);
  assert.deepEqual(
    lines.filter((line) => line.includes('another worker')),
    [],
  );
});

test('the reply to a claim is lost: that is no crash of a worker', async (t) => {
  const { bus, proxy } = await openBehindProxy(t);
  const thread = newThreadId();
  await bus.publish(newInput(thread, 'a'));
  const lost = proxy.loseReply(thread);
  const attempts: number[] = [];
  await bus.work(
    handlerOf(async (turn) => {
      attempts.push(turn.attempt);
      return done(turn);
    }),
    options,
  );
  await lost;
  await idle(bus, thread);
  assert.deepEqual(attempts, [0]);
});

test('the reply to a take from the outbox is lost: what was taken is handed out, once', async (t) => {
  const { bus, proxy } = await openBehindProxy(t);
  await bus.outbox.enqueue([newDelivery('a', { chat: 'x' }), newDelivery('b', { chat: 'y' })]);
  const lost = proxy.loseReply('telegram');
  const sent: string[] = [];
  await bus.outbox.send(
    ['telegram'],
    async (outgoing) => {
      if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
      return { kind: 'sent' };
    },
    { concurrency: 4, leaseMs: 60_000 },
  );
  await lost;
  await until('both', async () => (await bus.stats()).pendingDeliveries === 0);
  assert.deepEqual(sent.sort(), ['a', 'b']);
  assert.deepEqual(await bus.deadLetters.list(1), []);
});
