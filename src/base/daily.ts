import type { Clock } from './clock.ts';
import { asAntlerError } from './errors.ts';
import type { Logger } from './logger.ts';

/** Once-only guard over all processes, as the bus has it. */
interface Guard {
  claim(key: string, holdMs: number): Promise<'yours' | 'held' | 'done'>;
  complete(key: string): Promise<void>;
  release(key: string): Promise<void>;
}

export interface DailyOptions {
  /** Names it over all processes, e.g. `files/sweep`. */
  readonly name: string;
  /** At most 24. Default: 1. */
  readonly timesADay?: number;
  /** What is done; called again in an hour when it fails. */
  readonly work: () => Promise<void>;
  readonly claims: Guard;
  readonly log: Logger;
  readonly clock: Clock;
}

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 3_600_000;
/** Longer than a day's work takes; the claim of a process that died in it is free again after this. */
const HOLD_MS = 600_000;

/** Does something once a day, or a few times, in whichever process comes first. */
export function startDaily({ name, timesADay = 1, work, claims, log, clock }: DailyOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();

  async function look(): Promise<void> {
    const key = `${name}/${Math.floor((clock.now() * timesADay) / DAY_MS)}`;
    if ((await claims.claim(key, HOLD_MS)) !== 'yours') return;
    try {
      await work();
      await claims.complete(key);
    } catch (error) {
      await claims.release(key).catch(() => {}); // it frees itself after HOLD_MS
      throw error;
    }
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch((error: unknown) => {
        log.warn(
          { name, problem: asAntlerError(error).message },
          'what is due daily was not done; another try follows',
        );
      });
      await clock.sleep(LOOK_EVERY_MS, stopping.signal).catch(() => {}); // woken by stop()
    }
  }

  const looking = keepLooking();
  return {
    stop: async () => {
      stopping.abort();
      await looking;
    },
  };
}
