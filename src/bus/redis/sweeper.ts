import { number } from './reply.ts';
import type { Wiring } from './wiring.ts';

const TICK_MS = 1_000;
/** Younger threads are left alone: they have hardly waited yet. */
const QUEUED_AGE_MS = 2_000;
const BATCH = 500;

/**
 * Adds wake-ups that are missing (BullMQ gave one up, or took it for done) and lets in who was forgotten. One process of all
 * sweeps at a time. Returns the function that ends it.
 */
export function startSweeper(wiring: Wiring, leaseMs: number): () => void {
  let busy = false;
  const sweep = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      const mine = await wiring.prompt.set(`${wiring.base}sweeping`, '1', 'PX', TICK_MS - 100, 'NX');
      if (mine === null) return;
      const found = await wiring.scripts.run(wiring.prompt, 'sweep', QUEUED_AGE_MS, leaseMs * 2 + QUEUED_AGE_MS, BATCH);
      if (number(found) > 0) wiring.log.info({ threads: number(found) }, 'wake-ups were missing and are added again');
    } catch {
      // Redis is away; the connection itself says so in the log. The next tick tries again.
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void sweep(), TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
