import { Queue } from 'bullmq';
import { median, quantile } from '../statistics.ts';
import { atLeast, atMost, type Figure, times, told } from './figure.ts';
import { type Ground, newPrefix, startGround } from './ground.ts';
import { inLanes, input, payload } from './inputs.ts';
import { inPairs, type Pair, ratioOf } from './pairs.ts';
import { BenchWorker, type Handled, untilHandled } from './worker.ts';

/** What so many messages cost one side. */
interface Run {
  readonly perSecond: number;
  /** Microseconds of processor time a message. */
  readonly redisUs: number;
  readonly publisherUs: number;
  readonly workersUs: number;
  readonly latencies: readonly number[];
  readonly disordered: number;
}

type Source = 'bus' | 'bullmq';
type Publish = (thread: string, n: number) => Promise<unknown>;

/** One side, running: a Redis of its own, two processes that work, and how to publish to them. */
interface Side {
  readonly ground: Ground;
  readonly workers: readonly BenchWorker[];
  readonly publish: Publish;
}

const THREADS = 500;
const WORKERS = 2;
const IN_FLIGHT = 64;
const WITHIN_MS = 60_000;

/** The ordered bus against plain BullMQ jobs. */
export async function measureThroughput(pairs: number, perThread: number): Promise<readonly Figure[]> {
  await using owner = new AsyncDisposableStack();
  const [bus, bullmq] = [await startSide('bus', owner), await startSide('bullmq', owner)];
  const measured = await inPairs(
    pairs,
    (round) => measureRun(bus, round, perThread),
    (round) => measureRun(bullmq, round, perThread),
  );
  return figuresOf(measured);
}

async function startSide(source: Source, owner: AsyncDisposableStack): Promise<Side> {
  const ground = await startGround(owner);
  const prefix = newPrefix();
  const workers: BenchWorker[] = [];
  for (let worker = 0; worker < WORKERS; worker++) {
    const started = await BenchWorker.start({ source, url: ground.url, prefix });
    owner.defer(() => started.kill());
    workers.push(started);
  }
  return { ground, workers, publish: await publisher(source, ground, prefix, owner) };
}

async function publisher(
  source: Source,
  ground: Ground,
  prefix: string,
  owner: AsyncDisposableStack,
): Promise<Publish> {
  if (source === 'bus') {
    const bus = await ground.openBus(prefix);
    return (thread, n) => bus.publish(input(thread, n));
  }
  const queue = rawQueue(ground, prefix, owner);
  await queue.waitUntilReady();
  return (thread, n) => queue.add('message', { thread, ...payload(n) });
}

/** A queue as BullMQ's documentation shows it, on a connection of its own. */
export function rawQueue({ url }: Ground, prefix: string, owner: AsyncDisposableStack): Queue {
  const { hostname: host, port } = new URL(url);
  const queue = new Queue('raw', {
    connection: { host, port: Number(port) },
    prefix: `{${prefix}}`,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  owner.defer(() => queue.close());
  return queue;
}

async function measureRun(side: Side, round: number, perThread: number): Promise<Run> {
  const { workers, publish } = side;
  const total = THREADS * perThread;
  const before = await standOf(side);
  const startedAt = performance.now();
  // A thread belongs to one lane, so that its messages are published one after another.
  await inLanes(IN_FLIGHT, IN_FLIGHT, async (lane) => {
    for (let n = 0; n < perThread; n++)
      for (let thread = lane; thread < THREADS; thread += IN_FLIGHT) await publish(`round-${round}-${thread}`, n);
  });
  await untilHandled(workers, before.handled.length + total, WITHIN_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await standOf(side);
  const handled = after.handled.filter(([thread]) => thread.startsWith(`round-${round}-`));
  if (handled.length < total) throw new Error(`${total - handled.length} of ${total} messages were not handled`);
  return {
    perSecond: total / seconds,
    redisUs: (after.redisUs - before.redisUs) / total,
    publisherUs: (after.publisherUs - before.publisherUs) / total,
    workersUs: (after.workersUs - before.workersUs) / total,
    latencies: handled.map(([, , publishedAt, handledAt]) => handledAt - publishedAt),
    disordered: disorderedIn(handled),
  };
}

async function standOf({ ground, workers }: Side) {
  const [redisUs, ...reports] = await Promise.all([ground.redisCpuUs(), ...workers.map((worker) => worker.ask('all'))]);
  const { user, system } = process.cpuUsage();
  return {
    redisUs,
    publisherUs: user + system,
    workersUs: reports.reduce((sum, { cpuUs }) => sum + cpuUs, 0),
    handled: reports.flatMap((report) => report.handled),
  };
}

/** Threads in which a later message reached its handler before an earlier one. */
function disorderedIn(handled: readonly Handled[]): number {
  const newest = new Map<string, number>();
  const disordered = new Set<string>();
  for (const [thread, n] of handled.toSorted((a, b) => a[3] - b[3])) {
    if (n < (newest.get(thread) ?? -1)) disordered.add(thread);
    newest.set(thread, Math.max(n, newest.get(thread) ?? -1));
  }
  return disordered.size;
}

function figuresOf(pairs: readonly Pair<Run>[]): readonly Figure[] {
  const [bus, raw] = [pairs.map(({ ours }) => ours), pairs.map(({ other }) => other)];
  const cpu = (run: Run): number => run.redisUs + run.publisherUs + run.workersUs;
  const micro = (all: readonly Run[], of: (run: Run) => number): string => median(all.map(of)).toFixed(0);
  const shares = (all: readonly Run[]): string =>
    `${micro(all, cpu)} µs (Redis ${micro(all, (run) => run.redisUs)}, publisher ${micro(all, (run) => run.publisherUs)}, workers ${micro(all, (run) => run.workersUs)})`;
  const rate = (all: readonly Run[]): string => `${micro(all, (run) => run.perSecond)} a second`;
  const latency = (all: readonly Run[]): string => {
    const every = all.flatMap((run) => run.latencies);
    return `${quantile(every, 0.5).toFixed(0)} / ${quantile(every, 0.95).toFixed(0)} ms`;
  };
  const disordered = (all: readonly Run[]): number => Math.max(...all.map((run) => run.disordered));
  return [
    atMost(
      'processor time a message, ordered bus ÷ plain BullMQ',
      ratioOf(pairs, cpu),
      1.2,
      times,
      `: ${shares(bus)} against ${shares(raw)}`,
    ),
    atLeast(
      'throughput, ordered bus ÷ plain BullMQ',
      ratioOf(pairs, (run) => run.perSecond),
      0.8,
      times,
      `: ${rate(bus)} against ${rate(raw)}`,
    ),
    told(
      'published → handler while the publisher is faster than the workers, median / 95 %',
      `${latency(bus)} against ${latency(raw)}`,
    ),
    atMost(
      `threads out of order, of ${THREADS}`,
      disordered(bus),
      0,
      String,
      `, against ${disordered(raw)} with plain BullMQ`,
    ),
  ];
}
