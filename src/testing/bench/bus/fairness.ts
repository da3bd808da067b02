import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../statistics.ts';
import { atMost, type Figure, times } from './figure.ts';
import { newPrefix, startGround } from './ground.ts';
import { inLanes, input } from './inputs.ts';
import { BenchWorker, type Handled } from './worker.ts';

const RUN_MS = 50;
const SLOTS = 8;
const NOISY_THREADS = 200;
const NOISY_MESSAGES = 20;
const QUIET_CHATS = 20;

/**
 * One chat fills the bus with the messages of 200 busy threads, and then twenty chats ask something once a second.
 * What do they wait? And what when the noise is one person's, in 200 chats?
 */
export async function measureFairness(seconds: number): Promise<readonly Figure[]> {
  const byChat = await measureQuiet(seconds, (thread) => ({ chat: 'bench/noisy', user: `someone-${thread}` }));
  const byUser = await measureQuiet(seconds, (thread) => ({ chat: `bench/noisy-${thread}`, user: 'one-person' }));
  const figure = (name: string, latencies: readonly number[]): Figure =>
    atMost(
      `${name}, 95 % ÷ a run's length`,
      quantile(latencies, 0.95) / RUN_MS,
      10,
      times,
      ` (median ${quantile(latencies, 0.5).toFixed(0)} ms, 95 % ${quantile(latencies, 0.95).toFixed(0)} ms)`,
    );
  return [
    figure(`what quiet chats wait beside a chat of ${NOISY_THREADS} busy threads`, byChat),
    figure(`what quiet chats wait beside one person in ${NOISY_THREADS} chats`, byUser),
  ];
}

type Whose = (thread: number) => { readonly chat: string; readonly user: string };

async function measureQuiet(seconds: number, whose: Whose): Promise<readonly number[]> {
  await using owner = new AsyncDisposableStack();
  const ground = await startGround(owner);
  const prefix = newPrefix();
  const bus = await ground.openBus(prefix);
  const worker = await BenchWorker.start({ url: ground.url, prefix, concurrency: SLOTS, workMs: RUN_MS });
  owner.defer(() => worker.kill());
  await inLanes(NOISY_THREADS, 64, async (thread) => {
    for (let n = 0; n < NOISY_MESSAGES; n++) await bus.publish(input(`noisy-${thread}`, n, whose(thread)));
  });
  const asked = seconds * QUIET_CHATS;
  for (let second = 0; second < seconds; second++) {
    const at = performance.now();
    for (let chat = 0; chat < QUIET_CHATS; chat++) {
      await bus.publish(input(`quiet-${chat}`, second));
      await sleep(20);
    }
    await sleep(Math.max(0, 1_000 - (performance.now() - at)));
  }
  const quiet = (handled: readonly Handled[]) => handled.filter(([thread]) => thread.startsWith('quiet-'));
  let latest = quiet((await worker.ask('all')).handled);
  for (const deadline = performance.now() + 30_000; latest.length < asked && performance.now() < deadline; ) {
    await sleep(100);
    latest = quiet((await worker.ask('all')).handled);
  }
  // Who was not served in all that time has waited for ever.
  const waits = latest.map(([, , publishedAt, handledAt]) => handledAt - publishedAt);
  return [...waits, ...Array.from({ length: asked - waits.length }, () => Number.POSITIVE_INFINITY)];
}
