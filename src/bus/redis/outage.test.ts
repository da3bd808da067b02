import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import { freePort, startRedis } from '../../testing/services.ts';
import { done, handlerOf, idle, newDelivery, newInput, newThreadId, payloadsOf, until } from '../contract/kit.ts';
import type { NewInput } from '../port.ts';
import { createRedisBus } from './index.ts';
import { newPrefix, openBus, openClient, recordingLogger } from './testing/kit.ts';
import { mortalRedis } from './testing/mortal.ts';

const options = { concurrency: 8, leaseMs: 1_000, maxAttempts: 10 } as const;

test('Redis is killed under load and comes back: nothing is lost, doubled or out of order', async (t) => {
  const redis = await mortalRedis(t);
  const bus = await openBus(t, redis.url, newPrefix());
  const threads = Array.from({ length: 10 }, newThreadId);
  const answers: string[] = [];
  await bus.work(
    handlerOf(async (turn) => {
      const [first] = turn.inputs;
      const markdown = `${turn.thread}:${payloadsOf(turn).join()}`;
      return done(turn, [newDelivery(markdown, { id: `${turn.thread}.${first?.seq}`, chat: turn.chat })]);
    }),
    options,
  );
  await bus.outbox.send(
    ['telegram'],
    async (outgoing) => {
      if (outgoing.kind === 'delivery') answers.push(outgoing.delivery.document.markdown);
      return { kind: 'sent' };
    },
    { concurrency: 8, leaseMs: 10_000 },
  );
  // As a platform does: what was not accepted comes again.
  const publish = async (input: NewInput): Promise<void> => {
    for (let accepted = false; !accepted; ) {
      accepted = await bus.publish(input).then(
        () => true,
        () => false,
      );
      if (!accepted) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  let published = 0;
  const load = Promise.all(
    threads.map(async (thread, i) => {
      for (let n = 0; n < 40; n++) {
        await publish(newInput(thread, n, `telegram/${i}`));
        published++;
      }
    }),
  );
  await until('some load', () => published > 60);
  await redis.kill();
  await redis.start();
  await load;
  for (const thread of threads) await idle(bus, thread);
  await until('all sent', async () => (await bus.stats()).pendingDeliveries === 0);
  for (const thread of threads) {
    const numbers = answers
      .filter((answer) => answer.startsWith(`${thread}:`))
      .flatMap((answer) => answer.slice(thread.length + 1).split(','));
    assert.deepEqual(
      numbers,
      Array.from({ length: 40 }, (_, n) => String(n)),
    );
  }
  assert.deepEqual(await bus.deadLetters.list(10), []);
});

test('while Redis is away nothing hangs, and when it is back everything goes on', async (t) => {
  const redis = await mortalRedis(t);
  const bus = await openBus(t, redis.url, newPrefix());
  const seen: unknown[] = [];
  const heard: string[] = [];
  bus.subscribe('topic', (data) => heard.push(data));
  await bus.work(
    handlerOf(async (turn) => {
      seen.push(...payloadsOf(turn));
      return done(turn);
    }),
    options,
  );
  await redis.kill();
  const away = performance.now();
  const refused = { name: 'AntlerError', code: 'unavailable', retryable: true };
  await assert.rejects(bus.publish(newInput(newThreadId(), 'lost')), refused);
  await assert.rejects(bus.outbox.enqueue([newDelivery('lost')]), refused);
  await assert.rejects(bus.check(), refused);
  await assert.rejects(bus.claims.claim('key', 1_000), refused);
  await assert.rejects(bus.leases.acquire('name', 1_000), refused);
  assert.ok(performance.now() - away < 5_000);
  await redis.start();
  const works = (attempt: () => Promise<unknown>): Promise<boolean> => attempt().then(Boolean, () => false);
  const kept = newInput(newThreadId(), 'kept');
  await until('a publish', () => works(() => bus.publish(kept)));
  await until('its turn', () => seen.length > 0);
  assert.deepEqual(seen, ['kept']);
  await until('the broadcast', () => {
    bus.broadcast('topic', 'hello');
    return heard.length > 0;
  });
});

test('a bus can be closed while Redis is away', async (t) => {
  const redis = await mortalRedis(t);
  const bus = await openBus(t, redis.url, newPrefix());
  await bus.work(
    handlerOf(async (turn) => done(turn)),
    options,
  );
  await bus.outbox.send(['telegram'], async () => ({ kind: 'sent' }), { concurrency: 1, leaseMs: 1_000 });
  await redis.kill();
  const from = performance.now();
  await bus.close({ graceMs: 50 });
  assert.ok(performance.now() - from < 8_000);
  await redis.start();
});

test('a Redis without memory takes nothing in, but the outbox still drains', async (t) => {
  const server = await startRedis();
  t.after(() => server.stop());
  const bus = await openBus(t, server.url, newPrefix());
  await bus.outbox.enqueue([newDelivery('a'), newDelivery('b')]);
  await openClient(t, server.url).config('SET', 'maxmemory', '1mb');
  const input = newInput(newThreadId(), 'a');
  await assert.rejects(bus.publish(input), { name: 'AntlerError', code: 'unavailable', retryable: true });
  await bus.outbox.send(['telegram'], async () => ({ kind: 'sent' }), { concurrency: 1, leaseMs: 5_000 });
  await until('both sent', async () => (await bus.stats()).pendingDeliveries === 0);
  await openClient(t, server.url).config('SET', 'maxmemory', '0');
  await until('room', () =>
    bus.publish(input).then(
      (answer) => answer.status === 'accepted',
      () => false,
    ),
  );
});

test('a Redis that is nearly full takes no new messages, but what is in flight is answered', async (t) => {
  const server = await startRedis();
  t.after(() => server.stop());
  const client = openClient(t, server.url);
  const bus = await openBus(t, server.url, newPrefix());
  const thread = newThreadId();
  await bus.publish(newInput(thread, 'in flight'));
  // Next to it the buffers of connections and the scripts are small, as they are in a server of a real size.
  await client.setrange('ballast', 16 * 1024 * 1024, 'x');
  const used = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
  const room = (share: number) => client.config('SET', 'maxmemory', String(Math.round(used / share)));
  await room(0.8);
  const refused = (): Promise<boolean> =>
    bus.publish(newInput(newThreadId(), 'new')).then(
      () => false,
      (thrown) => thrown instanceof AntlerError && thrown.code === 'unavailable' && thrown.retryable,
    );
  await until('the refusal', refused);
  await bus.work(
    handlerOf(async (turn) => done(turn, [newDelivery('answer')])),
    options,
  );
  await idle(bus, thread);
  await bus.outbox.send(['telegram'], async () => ({ kind: 'sent' }), { concurrency: 1, leaseMs: 5_000 });
  await until('the answer', async () => (await bus.stats()).pendingDeliveries === 0);
  await client.config('SET', 'maxmemory', '0');
  await until('room again', async () => !(await refused()));
});

test('a Redis that cannot be reached is said so, without the password', async () => {
  const port = await freePort();
  const url = `redis://user:hunter2@127.0.0.1:${port}`;
  await assert.rejects(createRedisBus({ url, log: silentLogger }), (thrown) => {
    assert.ok(thrown instanceof AntlerError);
    assert.equal(thrown.code, 'unavailable');
    assert.match(thrown.message, /ECONNREFUSED.*REDIS_URL/);
    assert.doesNotMatch(thrown.message, /hunter2/);
    return true;
  });
});

test('a Redis that refuses the password is said so', async (t) => {
  const locked = await startRedis({ args: ['--requirepass', 'right'] });
  t.after(() => locked.stop());
  for (const user of ['', ':wrong@']) {
    const url = locked.url.replace('redis://', `redis://${user}`);
    await assert.rejects(createRedisBus({ url, log: silentLogger }), { code: 'unauthorized', message: /REDIS_URL/ });
  }
  await openBus(t, locked.url.replace('redis://', 'redis://:right@'), newPrefix());
});

test('a Redis that evicts keys is refused; one without an append-only file is warned of', async (t) => {
  const evicting = await startRedis({ args: ['--maxmemory-policy', 'allkeys-lru'] });
  t.after(() => evicting.stop());
  await assert.rejects(createRedisBus({ url: evicting.url, log: silentLogger }), {
    code: 'config_invalid',
    message: /noeviction/,
  });
  const client = openClient(t, evicting.url);
  await client.config('SET', 'maxmemory-policy', 'noeviction');
  await client.config('SET', 'appendonly', 'no');
  const { log, lines } = recordingLogger();
  const bus = await openBus(t, evicting.url, newPrefix(), log);
  assert.match(lines[0] ?? '', /appendonly yes/);
  assert.match((await bus.check())[0] ?? '', /appendonly yes/);
});
