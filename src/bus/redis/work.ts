import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Job, Worker } from 'bullmq';
import type { TurnHandler, WorkOptions } from '../port.ts';
import { logErrors } from './connection.ts';
import { startRenewer } from './renewer.ts';
import { startSweeper } from './sweeper.ts';
import { Turns } from './turns.ts';
import { QUEUE, type WakeUp } from './wake.ts';
import { farewellMs, type Wiring } from './wiring.ts';

/** How long handlers get, after their signal was aborted, to hand their turn back themselves, in milliseconds. */
const LAST_WORDS_MS = 1_000;

export interface Work {
  /** Takes no more turns. Those that run go on. */
  stop(): void;
  /** Waits up to `graceMs` for the turns that run, then hands them over. */
  close(graceMs: number): Promise<void>;
}

/** Takes wake-ups from BullMQ, whose job lock is the lease of a run, and keeps the leases renewed. */
export async function startWork(wiring: Wiring, handler: TurnHandler, options: WorkOptions): Promise<Work> {
  const id = randomUUID();
  const { url, base, flags, log } = wiring;
  const { leaseMs } = options;
  const renewer = startRenewer({ url, base, flags, leaseMs, log, onNews: (news) => turns.hear(news) });
  const turns = new Turns(wiring, handler, options, id, renewer);
  const deafen = wiring.signals.listen(`${base}ctl:${id}`, (data) => {
    const [thread = '', turn = '', reason = ''] = data.split(' ');
    turns.hear({ kind: 'cancel', thread, turn: Number(turn), reason });
  });
  await wiring.signals.settled();
  const endSweeper = startSweeper(wiring, leaseMs);

  const worker = new Worker(
    QUEUE,
    (job: Job<WakeUp>, lock?: string) => turns.take(job.data, String(job.id), lock ?? ''),
    {
      connection: wiring.patient,
      prefix: wiring.prefix,
      concurrency: options.concurrency,
      lockDuration: leaseMs,
      // BullMQ renews from the main thread, which a long computation holds up.
      skipLockRenewal: true,
      stalledInterval: Math.max(250, leaseMs / 2),
      // A job that stalled more often would be thrown away; crashes are counted with the thread instead.
      maxStalledCount: 1_000_000,
      // A worker that dies with the wake-up marker in hand holds the others up for this long, in seconds.
      drainDelay: 1,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  logErrors(worker, log);
  worker.on('failed', (job, error) => log.warn({ job: job?.id, error: error.message }, 'a wake-up failed'));
  await worker.waitUntilReady();

  let closing: Promise<void> | undefined;
  const stop = (): void => {
    turns.stop();
    closing ??= worker.close().catch((thrown: unknown) => log.warn({ error: String(thrown) }, 'closing BullMQ failed'));
  };

  return {
    stop,
    close: async (graceMs) => {
      stop();
      if (!(await within(closing, graceMs))) {
        turns.shutDown();
        if (!(await within(closing, turns.busy ? LAST_WORDS_MS : 0))) {
          turns.abandon();
          if (!(await within(closing, farewellMs(wiring))))
            void worker
              .getBackend()
              .disconnect()
              .catch(() => {});
        }
      }
      endSweeper();
      deafen();
      await renewer.close();
    },
  };
}

/** Did it come to its end within `ms`? */
export async function within(what: Promise<unknown> | undefined, ms: number): Promise<boolean> {
  const stopTimer = new AbortController();
  const timer = delay(ms, false, { signal: stopTimer.signal }).catch(() => false);
  const ended = await Promise.race([Promise.resolve(what).then(() => true), timer]);
  stopTimer.abort();
  return ended;
}
