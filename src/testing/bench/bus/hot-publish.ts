import { median } from '../statistics.ts';
import { atLeast, type Figure, times, told } from './figure.ts';
import { newPrefix, startGround } from './ground.ts';
import { inLanes, input, payload } from './inputs.ts';
import { inPairs, type Pair, ratioOf } from './pairs.ts';
import { rawQueue } from './throughput.ts';

const THREADS = 100;
const IN_FLIGHT = 64;

interface Run {
  readonly perSecond: number;
  /** Microseconds of processor time a message, Redis's included. */
  readonly cpuUs: number;
}

/** Publishing to threads that wait for a worker already, against adding BullMQ jobs. */
export async function measureHotPublish(pairs: number, messages: number): Promise<readonly Figure[]> {
  await using owner = new AsyncDisposableStack();
  const ground = await startGround(owner);
  const prefix = newPrefix();
  const bus = await ground.openBus(prefix);
  const queue = rawQueue(ground, prefix, owner);
  await queue.waitUntilReady();

  async function run(act: (n: number) => Promise<unknown>): Promise<Run> {
    const [redisUs, cpu, startedAt] = [await ground.redisCpuUs(), process.cpuUsage(), performance.now()];
    await inLanes(messages, IN_FLIGHT, act);
    const seconds = (performance.now() - startedAt) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    return { perSecond: messages / seconds, cpuUs: (user + system + (await ground.redisCpuUs()) - redisUs) / messages };
  }

  const measured = await inPairs(
    pairs,
    async (round) => {
      const thread = (n: number): string => `round-${round}-${n % THREADS}`;
      await inLanes(THREADS, IN_FLIGHT, (n) => bus.publish(input(thread(n), -1)));
      return run((n) => bus.publish(input(thread(n), n)));
    },
    (round) => run((n) => queue.add('message', { thread: `round-${round}-${n % THREADS}`, ...payload(n) })),
  );
  return figuresOf(measured);
}

function figuresOf(pairs: readonly Pair<Run>[]): readonly Figure[] {
  const middle = (of: (pair: Pair<Run>) => number): string => median(pairs.map(of)).toFixed(0);
  return [
    atLeast(
      'publishing to busy threads ÷ adding BullMQ jobs, in a second',
      ratioOf(pairs, (run) => run.perSecond),
      2,
      times,
      `: ${middle(({ ours }) => ours.perSecond)} against ${middle(({ other }) => other.perSecond)}, ${IN_FLIGHT} in flight`,
    ),
    told(
      'processor time of that, Redis and publisher',
      `${middle(({ ours }) => ours.cpuUs)} µs against ${middle(({ other }) => other.cpuUs)} µs a message`,
    ),
  ];
}
