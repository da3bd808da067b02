import { Worker as Thread } from 'node:worker_threads';
import type { Logger } from '../../base/logger.ts';
import type { RedisClient } from './connection.ts';
import { type HeldRun, Renewal, type RunNews } from './renewal.ts';
import { type ScriptSettings, Scripts } from './scripts.ts';

export type RenewerOrder =
  | { readonly kind: 'hold'; readonly run: HeldRun }
  | { readonly kind: 'drop'; readonly thread: string; readonly token: string };

/** What the thread says. `ready`: from now on it renews. */
export type RenewerWord = RunNews | { readonly kind: 'ready' };

export interface RenewerData {
  readonly url: string;
  readonly silenceMs: number;
  readonly scripts: ScriptSettings;
  readonly leaseMs: number;
  readonly maxHangMs: number;
  readonly heartbeat: SharedArrayBuffer;
}

/** A main thread that has not moved for this long is taken for dead, in milliseconds. */
const MAX_HANG_MS = 30_000;
const HEARTBEAT_MS = 500;
const RESTART_MS = 1_000;

export interface Renewer {
  hold(run: HeldRun): void;
  drop(run: HeldRun): void;
  close(): Promise<void>;
}

export interface RenewerOptions extends Omit<RenewerData, 'maxHangMs' | 'heartbeat'> {
  readonly maxHangMs?: number;
  /** The main thread's connection, for as long as the thread is not up. */
  readonly client: RedisClient;
  readonly onNews: (news: RunNews) => void;
  readonly log: Logger;
}

/**
 * Renews the leases of this process's runs every third of a lease, in a thread of its own. The main thread helps out
 * while that one comes up, which takes some hundred milliseconds, and when it fails.
 */
export function startRenewer(options: RenewerOptions): Renewer {
  const { client, onNews, log, ...data } = options;
  const heartbeat = new SharedArrayBuffer(4);
  const beats = new Int32Array(heartbeat);
  const renewal = new Renewal(new Scripts(data.scripts), client, data.leaseMs, onNews);
  let up = false;
  let restart: NodeJS.Timeout | undefined;
  const timers = [
    setInterval(() => Atomics.add(beats, 0, 1), HEARTBEAT_MS),
    setInterval(() => {
      if (!up) void renewal.renew();
    }, data.leaseMs / 3),
  ];
  for (const timer of timers) timer.unref();

  const start = (): Thread => {
    const workerData: RenewerData = { maxHangMs: MAX_HANG_MS, ...data, heartbeat };
    const thread = new Thread(new URL('./renewer-thread.ts', import.meta.url), { workerData });
    thread.unref();
    thread.on('message', (word: RenewerWord) => {
      if (word.kind === 'ready') up = true;
      else onNews(word);
    });
    thread.on('error', (error) => log.error({ error: error.message }, 'the thread that renews leases failed'));
    thread.on('exit', () => {
      up = false;
      restart = setTimeout(() => {
        current = start();
        for (const run of renewal.held) post({ kind: 'hold', run });
      }, RESTART_MS);
      restart.unref();
    });
    return thread;
  };
  let current = start();
  const post = (order: RenewerOrder): void => current.postMessage(order);

  return {
    hold: (run) => {
      renewal.hold(run);
      post({ kind: 'hold', run });
    },
    drop: ({ thread, token }) => {
      renewal.drop(thread, token);
      post({ kind: 'drop', thread, token });
    },
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await current.terminate();
      clearTimeout(restart);
    },
  };
}
