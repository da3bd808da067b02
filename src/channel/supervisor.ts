import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Adapter, ConnectionStatus } from './port.ts';

/** Ownership of a connection that only one process may hold. */
export interface ConnectionLease {
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

export interface SupervisorOptions {
  readonly channel: string;
  readonly adapter: Adapter;
  /** For channels whose connection must be unique: null while another process holds it. */
  readonly acquire?: () => Promise<ConnectionLease | null>;
  /** Begins what is done only while the connection is held here, and returns how to end it. */
  readonly whileHeld?: () => Promise<{ stop(): Promise<void> }>;
  readonly report: (status: ConnectionStatus | { readonly state: 'standby' }) => void;
  readonly log: Logger;
  readonly clock: Clock;
}

export interface Supervised {
  stop(): Promise<void>;
}

const STANDBY_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const MOST_RETRY_MS = 60_000;

/**
 * Keeps one channel's connection up: waits for its lease, starts the adapter, starts it again when that fails (unless
 * its settings are to blame), and lets go at once when the lease is lost, so that two processes never hold it together.
 */
export function supervise(options: SupervisorOptions): Supervised {
  const stopping = new AbortController();
  const running = keepUp(options, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function keepUp(options: SupervisorOptions, stopping: AbortSignal): Promise<void> {
  const { channel, acquire, report, log, clock } = options;
  let failures = 0;
  while (!stopping.aborted) {
    try {
      const lease = await acquire?.();
      if (lease === null) {
        report({ state: 'standby' });
        await rest(STANDBY_MS);
        continue;
      }
      await holdConnection(options, lease, stopping);
      failures = 0;
    } catch (thrown) {
      const error = asAntlerError(thrown);
      log.warn({ channel, code: error.code, problem: error.message }, 'channel did not start');
      report({ state: 'failing', problem: error.message });
      // Trying again does not change settings; whoever does starts anew.
      if (error.code === 'config_invalid') await aborted([stopping]);
      else await rest(Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures++, 10)));
    }
  }
  report({ state: 'stopped' });

  async function rest(ms: number): Promise<void> {
    await clock.sleep(ms, stopping).catch(() => {}); // woken by stop()
  }
}

/** One connection, from its start until it fails, is stopped or loses its lease; afterwards nothing of it is left. */
async function holdConnection(
  { channel, adapter, whileHeld, report, log }: SupervisorOptions,
  lease: ConnectionLease | undefined,
  stopping: AbortSignal,
): Promise<void> {
  const left = new AbortController();
  const ends = lease === undefined ? [stopping] : [stopping, lease.lost];
  const over = aborted([...ends, left.signal]);
  report({ state: 'connecting' });
  const started = adapter.start();
  started.catch(() => {}); // heard below, unless the end comes first
  let held: { stop(): Promise<void> } | undefined;
  try {
    await Promise.race([started, over]);
    if (ends.some((end) => end.aborted)) return;
    held = await whileHeld?.();
    await over;
    if (!stopping.aborted) log.warn({ channel }, 'the connection went to another process');
  } finally {
    left.abort();
    await cleanly(held?.stop());
    await cleanly(adapter.stop());
    await started.catch(() => {}); // ended with the stop
    await lease?.release().catch(() => {}); // it runs out by itself
  }

  async function cleanly(ending: Promise<void> | undefined): Promise<void> {
    await ending?.catch((error: unknown) => log.warn({ channel, err: error }, 'channel did not stop cleanly'));
  }
}

async function aborted(signals: readonly AbortSignal[]): Promise<void> {
  const either = AbortSignal.any([...signals]);
  if (either.aborted) return;
  await new Promise<void>((resolve) => either.addEventListener('abort', () => resolve(), { once: true }));
}
