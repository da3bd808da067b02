import { parentPort, workerData } from 'node:worker_threads';
import { Redis } from 'ioredis';
import { silentLogger } from '../../base/logger.ts';
import { logErrors } from './connection.ts';
import type { HeldRun, RenewerData, RenewerNews, RenewerOrder } from './renewer.ts';
import { list, number, text } from './reply.ts';
import { Scripts } from './scripts.ts';

/**
 * Runs in a thread of its own, so that a main thread that computes for seconds does not lose its runs. A main thread
 * that never comes back must lose them: its heartbeat stands still, and after `maxHangMs` nothing is renewed.
 */
const { url, base, flags, leaseMs, maxHangMs, heartbeat } = workerData as RenewerData;
const beats = new Int32Array(heartbeat);
const held = new Map<string, HeldRun>();
const scripts = new Scripts(base, flags);
const client = new Redis(url, {
  maxRetriesPerRequest: null,
  retryStrategy: (times) => Math.min(times * 50, 500),
});
// The main thread's connections complain about the same outage.
logErrors(client, silentLogger);

parentPort?.on('message', (order: RenewerOrder) => {
  if (order.kind === 'hold') held.set(order.run.thread, order.run);
  else if (held.get(order.thread)?.token === order.token) held.delete(order.thread);
});

let beat = -1;
let beatAt = performance.now();

/** Is the main thread alive, as far as its heartbeat tells? */
function alive(): boolean {
  const now = Atomics.load(beats, 0);
  if (now !== beat) {
    beat = now;
    beatAt = performance.now();
  }
  return performance.now() - beatAt <= maxHangMs;
}

let busy = false;

async function renew(): Promise<void> {
  if (!alive() || held.size === 0 || busy) return;
  busy = true;
  try {
    const runs = [...held.values()].flatMap(({ thread, token, job, lock }) => [thread, token, job, lock]);
    for (const entry of list(await scripts.run(client, 'renew', leaseMs, ...runs))) {
      const [thread, token, kind, turn, reason] = list(entry);
      const news: RenewerNews =
        kind === 'lost'
          ? { kind: 'lost', thread: text(thread), token: text(token) }
          : { kind: 'cancel', thread: text(thread), turn: number(turn), reason: text(reason) };
      if (news.kind === 'lost' && held.get(news.thread)?.token === news.token) held.delete(news.thread);
      parentPort?.postMessage(news);
    }
  } catch {
    // Redis is away or refuses; the next round tries again, and the token guards every write meanwhile.
  } finally {
    busy = false;
  }
}

setInterval(() => void renew(), leaseMs / 3);
// What was handed over while this thread came up has waited long enough.
client.once('ready', () => void renew());
