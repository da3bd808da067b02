import { Worker } from 'bullmq';
import type { TurnHandler, WorkOptions } from '../port.ts';
import { logErrors, unavailable } from './connection.ts';
import { Hands } from './hands.ts';
import { identityKey, newIdentity } from './identity.ts';
import { startRenewer } from './renewer.ts';
import { startSweeper } from './sweeper.ts';
import { Turns } from './turns.ts';
import { QUEUE, type WakeUp } from './wake.ts';
import { farewellMs, type Wiring } from './wiring.ts';
import { within } from './within.ts';

/** How long handlers get, after their signal was aborted, to hand their turn back themselves, in milliseconds. */
const LAST_WORDS_MS = 1_000;

/** Of BullMQ, the newest. */
const MOST_EVENTS = 100;

export interface Work {
  readonly id: string;
  /** Takes no more turns. Those that run go on. */
  stop(): void;
  /** Waits up to `graceMs` for the turns that run, then hands them over. */
  close(graceMs: number): Promise<void>;
}

/** Takes wake-ups from BullMQ, whose job lock is the lease of a run, and keeps the leases renewed. */
export async function startWork(wiring: Wiring, handler: TurnHandler, options: WorkOptions): Promise<Work> {
  const id = options.id ?? newIdentity();
  const key = identityKey(id);
  const { url, silenceMs, settings: scripts, base, patient: client, log } = wiring;
  const { leaseMs } = options;
  const renewer = startRenewer({ url, silenceMs, scripts, leaseMs, client, log, onNews: (news) => turns.hear(news) });
  const turns = new Turns(wiring, handler, options, key, renewer);
  const deafen = wiring.signals.listen(`${base}ctl:${key}`, (data) => {
    const [thread = '', turn = '', word = ''] = data.split(' ');
    turns.hear({ kind: 'word', thread, turn: Number(turn), word });
  });
  await wiring.signals.settled();
  const endSweeper = startSweeper(wiring, leaseMs);
  const stalledInterval = Math.max(250, leaseMs / 2);

  const worker = new Worker<WakeUp>(QUEUE, null, {
    connection: wiring.patient,
    prefix: wiring.prefix,
    lockDuration: leaseMs,
    stalledInterval,
    // A job that stalled more often would be thrown away; crashes are counted with the thread instead.
    maxStalledCount: 1_000_000,
    // A worker that dies with the wake-up marker in hand holds the others up for this long, in seconds.
    drainDelay: 1,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  logErrors(worker, log, 'BullMQ worker trouble');
  const lookForStalled = (): void => {
    worker
      .getBackend()
      .moveStalledJobsToWait()
      .catch((thrown: unknown) => log.debug({ error: String(thrown) }, 'could not look for wake-ups of dead workers'));
  };
  const stalledTimer = setInterval(lookForStalled, stalledInterval);
  stalledTimer.unref();

  let hands: Hands | undefined;
  let closing: Promise<void> | undefined;
  const stop = (): void => {
    turns.stop();
    closing ??= (hands?.stop() ?? worker.close(true)).catch((thrown: unknown) =>
      log.warn({ error: String(thrown) }, 'closing BullMQ failed'),
    );
  };
  const drain = async (graceMs: number): Promise<void> => {
    if (await within(closing, graceMs)) return;
    turns.shutDown();
    if (await within(closing, turns.busy ? LAST_WORDS_MS : 0)) return;
    turns.abandon();
    await within(closing, farewellMs(wiring));
  };
  const close = async (graceMs: number): Promise<void> => {
    stop();
    await drain(graceMs);
    clearInterval(stalledTimer);
    endSweeper();
    deafen();
    await renewer.close();
  };

  try {
    await worker.waitUntilReady();
    // BullMQ notes every step of a job in a stream that nobody reads here.
    await client.hset(`${base}${QUEUE}:meta`, 'opts.maxLenEvents', MOST_EVENTS);
  } catch (thrown) {
    await close(0);
    throw unavailable(thrown);
  }
  lookForStalled();
  hands = new Hands(worker, options.concurrency, (wake, job, lock) => turns.take(wake, job, lock), wiring.company, log);
  return { id, stop, close };
}
