import { median } from '../statistics.ts';
import { atLeast, type Figure, times } from './figure.ts';
import { newPrefix, startGround } from './ground.ts';
import { inLanes, input, payload } from './inputs.ts';
import { rawQueue } from './throughput.ts';

const THREADS = 100;
const IN_FLIGHT = 64;

/** Publishing to threads that wait for a worker already, against adding BullMQ jobs. */
export async function measureHotPublish(pairs: number, messages: number): Promise<readonly Figure[]> {
  const rates: { readonly bus: number; readonly raw: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    await using owner = new AsyncDisposableStack();
    const ground = await startGround(owner);
    const prefix = newPrefix();
    const bus = await ground.openBus(prefix);
    const queue = rawQueue(ground, prefix, owner);
    await queue.waitUntilReady();
    await inLanes(THREADS, IN_FLIGHT, (n) => bus.publish(input(`thread-${n}`, -1)));
    await inLanes(THREADS, IN_FLIGHT, (n) => queue.add('message', payload(n)));
    rates.push({
      bus: await rateOf(messages, (n) => bus.publish(input(`thread-${n % THREADS}`, n))),
      raw: await rateOf(messages, (n) => queue.add('message', { thread: `thread-${n % THREADS}`, ...payload(n) })),
    });
  }
  const ratio = median(rates.map(({ bus, raw }) => bus / raw));
  const rate = (of: 'bus' | 'raw'): string => `${median(rates.map((one) => one[of])).toFixed(0)} a second`;
  return [
    atLeast(
      'publishing to busy threads ÷ adding BullMQ jobs',
      ratio,
      2,
      times,
      `: ${rate('bus')} against ${rate('raw')}, ${IN_FLIGHT} in flight`,
    ),
  ];
}

async function rateOf(messages: number, act: (n: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await inLanes(messages, IN_FLIGHT, act);
  return messages / ((performance.now() - startedAt) / 1_000);
}
