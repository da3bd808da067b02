import { parentPort, workerData } from 'node:worker_threads';
import { silentLogger } from '../../base/logger.ts';
import { createClient, logErrors } from './connection.ts';
import { Renewal } from './renewal.ts';
import type { RenewerData, RenewerOrder, RenewerWord } from './renewer.ts';
import { Scripts } from './scripts.ts';

/**
 * Runs in a thread of its own, so that a main thread that computes for seconds does not lose its runs. A main thread
 * that never comes back must lose them: its heartbeat stands still, and after `maxHangMs` nothing is renewed.
 */
const { url, silenceMs, scripts, leaseMs, maxHangMs, heartbeat } = workerData as RenewerData;
const tell = (word: RenewerWord): void => parentPort?.postMessage(word);

const client = createClient(url, 'patient', silenceMs);
// The main thread's connections complain about the same outage.
logErrors(client, silentLogger);
const renewal = new Renewal(new Scripts(scripts), client, leaseMs, tell);

parentPort?.on('message', (order: RenewerOrder) => {
  if (order.kind === 'hold') renewal.hold(order.run);
  else renewal.drop(order.thread, order.token);
});

const beats = new Int32Array(heartbeat);
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

const renew = async (): Promise<void> => {
  if (alive()) await renewal.renew();
};

client.connect().catch(() => {
  // It goes on trying; the main thread renews meanwhile.
});
client.once('ready', async () => {
  // What was handed over while this thread came up has waited long enough.
  await renew();
  tell({ kind: 'ready' });
  setInterval(() => void renew(), leaseMs / 3);
});
