import { atMost, bytes, type Figure, told } from './figure.ts';
import { type Ground, newPrefix, startGround } from './ground.ts';
import { inLanes, input, payload } from './inputs.ts';
import { BenchWorker, untilHandled } from './worker.ts';

const PER_THREAD = 50;
const IN_FLIGHT = 64;
const WARM_UP = 200;
const WITHIN_MS = 60_000;

/** What Redis keeps for a thread that sleeps, for a message that waits, and for knowing a message again. */
export async function measureMemory(threads: number): Promise<readonly Figure[]> {
  const messages = threads * PER_THREAD;
  await using owner = new AsyncDisposableStack();
  const ground = await startGround(owner);
  const prefix = newPrefix();
  const bus = await ground.openBus(prefix);
  const publishAll = (perThread: number): Promise<void> =>
    inLanes(threads, IN_FLIGHT, async (thread) => {
      for (let n = 0; n < perThread; n++) await bus.publish(input(`telegram-thread-${thread}`, n));
    });

  const worker = await BenchWorker.start({ url: ground.url, prefix });
  // Scripts, queues and buffers are there whatever is stored.
  await inLanes(WARM_UP, IN_FLIGHT, (n) => bus.publish(input(`warm-up-${n}`, 0)));
  await untilHandled([worker], WARM_UP, WITHIN_MS);
  await forget(ground, prefix);
  const empty = await ground.usedMemory();
  await publishAll(1);
  await untilHandled([worker], WARM_UP + threads, WITHIN_MS);
  await worker.kill();
  const known = await forget(ground, prefix);
  const idle = (await ground.usedMemory()) - empty;
  await publishAll(PER_THREAD);
  await forget(ground, prefix);
  const waiting = (await ground.usedMemory()) - empty - idle;
  const body = JSON.stringify(payload(0)).length;
  return [
    atMost('memory of an idle thread', idle / threads, 300, bytes),
    atMost(
      'memory of a waiting message besides its payload',
      waiting / messages - body,
      400,
      bytes,
      ` (payload ${body} B)`,
    ),
    told('memory for knowing a message again, for 12 to 16 hours', bytes(known / threads)),
  ];
}

/** Drops what messages are known again by, and returns what it took. */
async function forget({ redis, usedMemory }: Ground, prefix: string): Promise<number> {
  const before = await usedMemory();
  const keys = await redis.keys(`{${prefix}}:seen:*`);
  for (let from = 0; from < keys.length; from += 1_000) await redis.del(...keys.slice(from, from + 1_000));
  return before - (await usedMemory());
}
