import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { newThreadId } from '../base/ids.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { createEmbeddedBus } from '../bus/embedded/index.ts';
import type { MessageBus } from '../bus/port.ts';
import { createRedisBus } from '../bus/redis/index.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { Adapter } from '../channel/port.ts';
import { openStore } from '../store/index.ts';
import type { Store } from '../store/port.ts';
import { redisForTests } from '../testing/services.ts';
import { createArrivals } from './arrivals.ts';
import { createFetcher, type Fetcher, type FetcherOptions } from './fetcher.ts';
import type { Arrival } from './port.ts';
import { bytesOf, channels, fetching, folderFor, MAX_FILE_BYTES, messageWith } from './testing/kit.ts';
import { wishesOf } from './wishes.ts';

const thread = newThreadId();
const anySignal = new AbortController().signal;
const ASK_AGAIN_MS = 50;

interface Ground {
  readonly bus: MessageBus;
  readonly store: Store;
  gateway(adapter: Adapter, more?: Partial<FetcherOptions>): Fetcher;
  /** What a worker finds of a message's files, in their order. */
  arrivals(message: InboundMessage, patienceMs?: number, signal?: AbortSignal): Promise<(Arrival | undefined)[]>;
}

async function ground(t: TestContext, bus?: MessageBus): Promise<Ground> {
  const folder = folderFor(t);
  const own = bus ?? (await createEmbeddedBus({ file: join(folder, 'bus.db'), log: silentLogger }));
  const store = await openStore({ file: join(folder, 'antler.db'), log: silentLogger });
  const gateways: Fetcher[] = [];
  t.after(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await own.close({ graceMs: 0 });
    await store.close();
  });
  const { files } = store;
  return {
    bus: own,
    store,
    gateway: (adapter, more = {}) => {
      const made = { bus: own, files, channels, adapter: () => adapter, maxBytes: 1e6, clock: systemClock, ...more };
      const gateway = createFetcher({ log: silentLogger, ...made });
      gateways.push(gateway);
      return gateway;
    },
    arrivals: async (message, patienceMs = 5_000, signal = anySignal) => {
      const times = { patienceMs, askAgainMs: ASK_AGAIN_MS, clock: systemClock };
      const wishes = wishesOf(message, thread);
      const found = await createArrivals({ bus: own, files, log: silentLogger, ...times }).of(wishes, signal);
      return wishes.map(({ id }) => found.get(id));
    },
  };
}

const problems = (found: readonly (Arrival | undefined)[]): unknown[] =>
  found.map((arrival) => (arrival === undefined || !('problem' in arrival) ? arrival?.name : arrival.problem));

test('what a gateway fetches ahead is there when the turn begins, with its quoted files', async (t) => {
  const { gateway, arrivals, store } = await ground(t);
  const asked: string[] = [];
  const one = gateway(
    fetching(async (file) => {
      asked.push(file.id);
      return { content: bytesOf(`of ${file.id}`), name: '../evil\u202e/plan.csv', mime: 'Text/CSV; charset=x' };
    }),
  );
  const quoted = { id: 'quoted', kind: 'image', name: 'q.png' } as const;
  const message = { ...messageWith({}), quote: { fromBot: false, text: '', files: [quoted] } };
  one.prefetch(message, thread);
  const [file, quote] = await arrivals(message);
  assert.partialDeepStrictEqual(file, { name: 'plan.csv', mime: 'text/csv', direction: 'in', thread, chat: 'c1' });
  assert.partialDeepStrictEqual(quote, { kind: 'image', owner: 'web//u1' });
  assert.deepEqual(asked, ['ref-0', 'quoted']);
  const [wish] = wishesOf(message, thread);
  assert.ok(wish !== undefined);
  assert.equal(String(await store.files.read(wish.id)), 'of ref-0');
});

test('a file that no gateway has fetched is asked for, and fetched once although several hear it', async (t) => {
  const { gateway, arrivals } = await ground(t);
  let fetches = 0;
  const slow = fetching(async () => {
    fetches++;
    await systemClock.sleep(4 * ASK_AGAIN_MS);
    return { content: bytesOf('x') };
  });
  gateway(slow);
  gateway(slow);
  assert.deepEqual(problems(await arrivals(messageWith({}))), ['file-0.txt']);
  assert.equal(fetches, 1);
});

test('a gateway that cannot leaves it to one that can', async (t) => {
  const { gateway, arrivals } = await ground(t);
  const notHere = fetching(async () => {
    throw new AntlerError('unavailable', 'the connection is held elsewhere');
  });
  gateway(notHere);
  gateway(fetching(async () => ({ content: bytesOf('x') })));
  gateway(notHere);
  assert.deepEqual(problems(await arrivals(messageWith({}))), ['file-0.txt']);
});

test('why a file cannot be had is told, the platform is not asked for it again, and no reference is logged', async (t) => {
  const { gateway, arrivals } = await ground(t);
  let fetches = 0;
  const lines: string[] = [];
  const note = (fields: object, message: string): void => void lines.push(JSON.stringify([fields, message]));
  const log: Logger = { debug: note, info: note, warn: note, error: note, child: () => log };
  gateway(
    fetching(async (file) => {
      fetches++;
      if (file.id === 'ref-0') throw new AntlerError('not_found', 'expired');
      if (file.id === 'ref-1') throw new AntlerError('forbidden', 'no scope');
      if (file.id === 'ref-2') throw new AntlerError('too_large', 'more than allowed');
      return { content: new Uint8Array(MAX_FILE_BYTES + 1) };
    }),
    { log },
  );
  const message = messageWith({}, {}, {}, {}, { bytes: MAX_FILE_BYTES + 1 });
  const expected = ['gone', 'refused', 'too_large', 'too_large', 'too_large'];
  assert.deepEqual(problems(await arrivals(message)), expected);
  assert.deepEqual(problems(await arrivals(message)), expected);
  assert.equal(fetches, 4);
  assert.ok(lines.length >= 5);
  assert.doesNotMatch(lines.join('\n'), /ref-/); // a reference may hold a key
});

test('an adapter that never answers holds neither the turn nor the other files', async (t) => {
  const { gateway, arrivals } = await ground(t);
  gateway(
    fetching((file) => (file.name === 'hangs' ? new Promise(() => {}) : Promise.resolve({ content: bytesOf('x') }))),
    { timeoutMs: 2 * ASK_AGAIN_MS },
  );
  const hanging = Array.from({ length: 8 }, () => ({ name: 'hangs' }));
  const found = problems(await arrivals(messageWith(...hanging, {}), 20 * ASK_AGAIN_MS));
  assert.deepEqual(found, [...hanging.map(() => undefined), 'file-8.txt']);
});

test('without any gateway a turn waits as long as it may, and a stopped one not at all', async (t) => {
  const { arrivals } = await ground(t);
  assert.deepEqual(await arrivals(messageWith({}), 2 * ASK_AGAIN_MS), [undefined]);
  assert.deepEqual(await arrivals(messageWith({}), 60_000, AbortSignal.abort()), [undefined]);
  assert.deepEqual(await arrivals(messageWith(), 60_000), []);
});

test('a platform that asks for patience is not asked before', async (t) => {
  const { gateway, arrivals } = await ground(t);
  let fetches = 0;
  gateway(
    fetching(async () => {
      if (fetches++ > 0) return { content: bytesOf('x') };
      throw new AntlerError('rate_limited', 'slow down', { retryable: true, retryAfterMs: 6 * ASK_AGAIN_MS });
    }),
  );
  assert.deepEqual(problems(await arrivals(messageWith({}))), ['file-0.txt']);
  assert.equal(fetches, 2);
});

test('a gateway that is killed while it fetches does not lose the file: another one fetches it', async (t) => {
  const redis = await redisForTests();
  t.after(() => redis.stop());
  const bus = await createRedisBus({ url: redis.url, log: silentLogger });
  const { gateway, arrivals, bus: same } = await ground(t, bus);
  assert.equal(same, bus);
  const leaseMs = 600;
  const orders = { url: redis.url, file: join(folderFor(t), 'other.db'), leaseMs };
  const child = fork(new URL('./testing/gateway.child.ts', import.meta.url), [JSON.stringify(orders)]);
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'message'); // ready
  const begun = once(child, 'message'); // fetching
  const found = arrivals(messageWith({}), 20_000);
  await begun;
  gateway(
    fetching(async () => ({ content: bytesOf('x') })),
    { leaseMs },
  );
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  assert.deepEqual(problems(await found), ['file-0.txt']);
});
