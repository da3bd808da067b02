import { Queue } from 'bullmq';
import { median, quantile } from '../statistics.ts';
import { atLeast, atMost, type Figure, times, told } from './figure.ts';
import { type Ground, newPrefix, startGround } from './ground.ts';
import { inLanes, input, payload } from './inputs.ts';
import { BenchWorker, type Handled, untilHandled } from './worker.ts';

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

const THREADS = 500;
const WORKERS = 2;
const IN_FLIGHT = 64;
const WARM_UP = 500;
const WITHIN_MS = 60_000;

/** The ordered bus against plain BullMQ jobs, in turns, so that whatever else the machine does meets both alike. */
export async function measureThroughput(pairs: number, perThread: number): Promise<readonly Figure[]> {
  const runs: Record<Source, Run[]> = { bus: [], bullmq: [] };
  for (let pair = 0; pair < pairs; pair++)
    for (const source of ['bus', 'bullmq'] as const) runs[source].push(await measureRun(source, perThread));
  return figuresOf(runs);
}

async function measureRun(source: Source, perThread: number): Promise<Run> {
  await using owner = new AsyncDisposableStack();
  const ground = await startGround(owner);
  const prefix = newPrefix();
  const workers = await Promise.all(
    Array.from({ length: WORKERS }, () => BenchWorker.start({ source, url: ground.url, prefix })),
  );
  owner.defer(async () => void (await Promise.all(workers.map((worker) => worker.kill()))));
  const publish = await publisher(source, ground, prefix, owner);

  await inLanes(WARM_UP, IN_FLIGHT, (n) => publish(`warm-up-${n}`, n));
  await untilHandled(workers, WARM_UP, WITHIN_MS);
  const before = await standOf(ground, workers);
  const total = THREADS * perThread;
  const startedAt = performance.now();
  // A thread belongs to one lane, so that its messages are published one after another.
  await inLanes(IN_FLIGHT, IN_FLIGHT, async (lane) => {
    for (let n = 0; n < perThread; n++)
      for (let thread = lane; thread < THREADS; thread += IN_FLIGHT) await publish(`thread-${thread}`, n);
  });
  await untilHandled(workers, total + WARM_UP, WITHIN_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = await standOf(ground, workers);
  const handled = after.handled.filter(([thread]) => thread.startsWith('thread-'));
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

async function standOf(ground: Ground, workers: readonly BenchWorker[]) {
  const { user, system } = process.cpuUsage();
  const [redisUs, ...reports] = await Promise.all([ground.redisCpuUs(), ...workers.map((worker) => worker.ask('all'))]);
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

type Publish = (thread: string, n: number) => Promise<unknown>;

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

function figuresOf(runs: Readonly<Record<Source, readonly Run[]>>): readonly Figure[] {
  const [bus, raw] = [runs.bus, runs.bullmq];
  const cpu = (run: Run): number => run.redisUs + run.publisherUs + run.workersUs;
  const ratio = (of: (run: Run) => number): number => median(bus.map((run, pair) => of(run) / of(raw[pair] ?? run)));
  const perSecond = (all: readonly Run[]): string => `${median(all.map((run) => run.perSecond)).toFixed(0)} a second`;
  const micro = (all: readonly Run[], of: (run: Run) => number): string => median(all.map(of)).toFixed(0);
  const shares = (all: readonly Run[]): string =>
    `${micro(all, cpu)} µs (Redis ${micro(all, (run) => run.redisUs)}, publisher ${micro(all, (run) => run.publisherUs)}, workers ${micro(all, (run) => run.workersUs)})`;
  const latency = (all: readonly Run[]): string => {
    const every = all.flatMap((run) => run.latencies);
    return `${quantile(every, 0.5).toFixed(0)} / ${quantile(every, 0.95).toFixed(0)} ms`;
  };
  const disordered = (all: readonly Run[]): number => Math.max(...all.map((run) => run.disordered));
  return [
    atMost(
      'processor time a message, ordered bus ÷ plain BullMQ',
      ratio(cpu),
      1.2,
      times,
      `: ${shares(bus)} against ${shares(raw)}`,
    ),
    atLeast(
      'throughput, ordered bus ÷ plain BullMQ',
      ratio((run) => run.perSecond),
      0.8,
      times,
      `: ${perSecond(bus)} against ${perSecond(raw)}`,
    ),
    told(
      'published → handler under this load, median / 95 %',
      `${latency(bus)} against ${latency(raw)}: the publisher is faster than the workers`,
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
