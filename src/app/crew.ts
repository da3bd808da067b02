import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { MessageBus } from '../bus/port.ts';

export interface CrewOptions {
  /** How many worker processes there are at any time. */
  readonly size: number;
  /** Starts one; `id` is how the bus is to know it. */
  readonly spawnWorker: (id: string) => ChildProcess;
  readonly bus: Pick<MessageBus, 'bury'>;
  readonly log: Logger;
  readonly clock: Clock;
}

export interface Crew {
  /** Tells every worker to end (SIGTERM), and resolves when all have. */
  stop(): Promise<void>;
}

/** A worker that ends sooner than this after its start has something that a new start does not mend. */
const STEADY_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 30_000;

/**
 * Keeps worker processes alive. When one dies, its turns go to others at once: the supervisor knows that it is dead,
 * which everybody else only learns when its leases run out.
 */
export function startCrew({ size, spawnWorker, bus, log, clock }: CrewOptions): Crew {
  const stopping = new AbortController();
  const children = new Set<ChildProcess>();

  async function keep(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const id = `w-${randomUUID()}`;
      const child = spawnWorker(id);
      const startedAt = clock.now();
      children.add(child);
      const how = await ended(child);
      children.delete(child);
      await bus.bury(id).catch((error: unknown) => {
        log.warn(
          { worker: id, problem: asAntlerError(error).message },
          'the turns of a dead worker wait for its leases',
        );
      });
      if (stopping.signal.aborted) return;
      failures = clock.now() - startedAt < STEADY_MS ? failures + 1 : 0;
      log.error({ worker: id, how, failures }, 'a worker process ended; another takes its place');
      if (failures > 1) await clock.sleep(pauseMs(failures), stopping.signal).catch(() => {}); // woken by stop()
    }
  }

  const keepers = Array.from({ length: size }, keep);
  return {
    stop: async () => {
      stopping.abort();
      for (const child of children) child.kill('SIGTERM');
      await Promise.all(keepers);
    },
  };
}

const pauseMs = (failures: number): number => Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));

async function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    child.once('error', (error) => resolve(error.message));
  });
}

const program = join(import.meta.dirname, '../cli/antler.mjs');

/**
 * Another process of this program, as a worker; what it prints appears as ours. It is connected to us, so that it ends
 * when we are gone.
 */
export function spawnWorkerProcess(args: readonly string[], id: string): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, program, 'worker', ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ANTLER_WORKER_ID: id },
  });
}
