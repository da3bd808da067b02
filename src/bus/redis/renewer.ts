import { Worker as Thread } from 'node:worker_threads';
import type { Logger } from '../../base/logger.ts';

/** A run that this process holds, and the BullMQ job (with its lock's token) that it was woken by. */
export interface HeldRun {
  readonly thread: string;
  readonly token: string;
  readonly job: string;
  readonly lock: string;
}

export type RenewerOrder =
  | { readonly kind: 'hold'; readonly run: HeldRun }
  | { readonly kind: 'drop'; readonly thread: string; readonly token: string };

export type RenewerNews =
  | { readonly kind: 'lost'; readonly thread: string; readonly token: string }
  | { readonly kind: 'cancel'; readonly thread: string; readonly turn: number; readonly reason: string };

export interface RenewerData {
  readonly url: string;
  readonly base: string;
  readonly flags: boolean;
  readonly leaseMs: number;
  readonly maxHangMs: number;
  readonly heartbeat: SharedArrayBuffer;
}

/** A main thread that has not moved for this long is taken for dead, in milliseconds. */
const MAX_HANG_MS = 30_000;
const HEARTBEAT_MS = 500;

export interface Renewer {
  hold(run: HeldRun): void;
  drop(run: HeldRun): void;
  close(): Promise<void>;
}

export interface RenewerOptions extends Omit<RenewerData, 'maxHangMs' | 'heartbeat'> {
  readonly maxHangMs?: number;
  readonly onNews: (news: RenewerNews) => void;
  readonly log: Logger;
}

/**
 * Starts the thread that renews the leases of this process's runs every third of a lease. It needs a few hundred
 * milliseconds to come up, less than any sensible lease.
 */
export function startRenewer(options: RenewerOptions): Renewer {
  const { onNews, log, ...data } = options;
  const heartbeat = new SharedArrayBuffer(4);
  const beats = new Int32Array(heartbeat);
  const pulse = setInterval(() => Atomics.add(beats, 0, 1), HEARTBEAT_MS);
  pulse.unref();
  const held = new Map<string, HeldRun>();
  let closed = false;

  const start = (): Thread => {
    const workerData: RenewerData = { maxHangMs: MAX_HANG_MS, ...data, heartbeat };
    const thread = new Thread(new URL('./renewer-thread.ts', import.meta.url), { workerData });
    thread.unref();
    thread.on('message', onNews);
    thread.on('error', (error) => log.error({ error: error.message }, 'the thread that renews leases failed'));
    // Without it every run would be taken over after its lease: start another one.
    thread.on('exit', () => {
      if (closed) return;
      current = start();
      for (const run of held.values()) post({ kind: 'hold', run });
    });
    return thread;
  };
  let current = start();
  const post = (order: RenewerOrder): void => current.postMessage(order);

  return {
    hold: (run) => {
      held.set(run.thread, run);
      post({ kind: 'hold', run });
    },
    drop: (run) => {
      if (held.get(run.thread)?.token === run.token) held.delete(run.thread);
      post({ kind: 'drop', thread: run.thread, token: run.token });
    },
    close: async () => {
      closed = true;
      clearInterval(pulse);
      await current.terminate();
    },
  };
}
