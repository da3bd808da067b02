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
  const { channel, adapter, acquire, whileHeld, report, log, clock } = options;
  let failures = 0;
  while (!stopping.aborted) {
    let lease: ConnectionLease | null = null;
    let held: { stop(): Promise<void> } | undefined;
    try {
      if (acquire !== undefined) {
        lease = await acquire();
        if (lease === null) {
          report({ state: 'standby' });
          await rest(STANDBY_MS);
          continue;
        }
      }
      report({ state: 'connecting' });
      const over = aborted(lease === null ? [stopping] : [stopping, lease.lost]);
      const started = adapter.start();
      started.catch(() => {}); // heard below, unless the end comes first
      await Promise.race([started, over]);
      if (isOver(stopping, lease)) {
        await stopped(adapter, log, channel);
        await started.catch(() => {}); // ended with the stop
        await lease?.release().catch(() => {}); // it runs out by itself
        continue;
      }
      held = await whileHeld?.();
      failures = 0;
      await over;
      if (!stopping.aborted) log.warn({ channel }, 'the connection went to another process');
    } catch (thrown) {
      const error = asAntlerError(thrown);
      log.warn({ channel, code: error.code, problem: error.message }, 'channel did not start');
      report({ state: 'failing', problem: error.message });
      await held?.stop();
      await stopped(adapter, log, channel);
      await lease?.release().catch(() => {});
      lease = null;
      // Trying again does not change settings; whoever does starts anew.
      if (error.code === 'config_invalid') await aborted([stopping]);
      else await rest(Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures++, 10)));
      continue;
    }
    await held?.stop();
    await stopped(adapter, log, channel);
    await lease?.release().catch(() => {}); // it runs out by itself
  }
  report({ state: 'stopped' });

  async function rest(ms: number): Promise<void> {
    await clock.sleep(ms, stopping).catch(() => {}); // woken by stop()
  }
}

const isOver = (stopping: AbortSignal, lease: ConnectionLease | null): boolean =>
  stopping.aborted || lease?.lost.aborted === true;

async function stopped(adapter: Adapter, log: Logger, channel: string): Promise<void> {
  await adapter.stop().catch((error: unknown) => log.warn({ channel, err: error }, 'channel did not stop cleanly'));
}

async function aborted(signals: readonly AbortSignal[]): Promise<void> {
  const either = AbortSignal.any([...signals]);
  if (either.aborted) return;
  await new Promise<void>((resolve) => either.addEventListener('abort', () => resolve(), { once: true }));
}
