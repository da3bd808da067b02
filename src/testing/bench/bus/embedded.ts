import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newRunId } from '../../../base/ids.ts';
import { silentLogger } from '../../../base/logger.ts';
import { createEmbeddedBus } from '../../../bus/embedded/index.ts';
import type { MessageBus } from '../../../bus/port.ts';
import { median } from '../statistics.ts';
import { atLeast, type Figure, times } from './figure.ts';
import { newPrefix, startGround } from './ground.ts';
import { inLanes, input } from './inputs.ts';

const THREADS = 500;
const IN_FLIGHT = 64;

/** One process that publishes and works: on the embedded bus, and on the Redis bus. */
export async function measureEmbedded(pairs: number, perThread: number): Promise<readonly Figure[]> {
  const rates: { readonly embedded: number; readonly redis: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    await using owner = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'antler-bench-'));
    owner.defer(() => rmSync(folder, { recursive: true, force: true }));
    const embedded = await createEmbeddedBus({ file: join(folder, 'bus.db'), log: silentLogger });
    owner.defer(() => embedded.close({ graceMs: 0 }));
    const ground = await startGround(owner);
    const redis = await ground.openBus(newPrefix());
    rates.push({ embedded: await rateOf(embedded, perThread), redis: await rateOf(redis, perThread) });
  }
  const rate = (of: 'embedded' | 'redis'): string => `${median(rates.map((one) => one[of])).toFixed(0)} a second`;
  return [
    atLeast(
      'embedded bus ÷ Redis bus, one process, published and handled',
      median(rates.map(({ embedded, redis }) => embedded / redis)),
      2,
      times,
      `: ${rate('embedded')} against ${rate('redis')}`,
    ),
  ];
}

async function rateOf(bus: MessageBus, perThread: number): Promise<number> {
  const total = THREADS * perThread;
  const all = Promise.withResolvers<void>();
  let handled = 0;
  await bus.work(
    {
      run: async ({ inputs }) => {
        handled += inputs.length;
        if (handled >= total) all.resolve();
        return { kind: 'done', commit: newRunId(), ackSeq: inputs.at(-1)?.seq ?? 0, deliveries: [] };
      },
      giveUp: async () => [],
    },
    { concurrency: 50, leaseMs: 5_000, maxAttempts: 3 },
  );
  const startedAt = performance.now();
  await inLanes(THREADS, IN_FLIGHT, async (thread) => {
    for (let n = 0; n < perThread; n++) await bus.publish(input(`thread-${thread}`, n));
  });
  await all.promise;
  return total / ((performance.now() - startedAt) / 1_000);
}
