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
import { inPairs, ratioOf } from './pairs.ts';

const THREADS = 500;
const IN_FLIGHT = 64;

/** One process that publishes and works: on the embedded bus, and on the Redis bus. */
export async function measureEmbedded(pairs: number, perThread: number): Promise<readonly Figure[]> {
  await using owner = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'antler-bench-'));
  owner.defer(() => rmSync(folder, { recursive: true, force: true }));
  const embedded = await createEmbeddedBus({ file: join(folder, 'bus.db'), log: silentLogger });
  owner.defer(() => embedded.close({ graceMs: 0 }));
  const ground = await startGround(owner);
  const redis = await ground.openBus(newPrefix());
  const measured = await inPairs(pairs, await rater(embedded, perThread), await rater(redis, perThread));
  const rate = (rates: readonly number[]): string => `${median(rates).toFixed(0)} a second`;
  return [
    atLeast(
      'embedded bus ÷ Redis bus, published and handled by one process',
      ratioOf(measured, (perSecond) => perSecond),
      2,
      times,
      `: ${rate(measured.map(({ ours }) => ours))} against ${rate(measured.map(({ other }) => other))}`,
    ),
  ];
}

/** Makes the process work on a bus; each round publishes to threads of its own and returns messages a second. */
async function rater(bus: MessageBus, perThread: number): Promise<(round: number) => Promise<number>> {
  const total = THREADS * perThread;
  let handled = 0;
  let all = Promise.withResolvers<void>();
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
  return async (round) => {
    handled = 0;
    all = Promise.withResolvers<void>();
    const startedAt = performance.now();
    await inLanes(THREADS, IN_FLIGHT, async (thread) => {
      for (let n = 0; n < perThread; n++) await bus.publish(input(`round-${round}-${thread}`, n));
    });
    await all.promise;
    return total / ((performance.now() - startedAt) / 1_000);
  };
}
