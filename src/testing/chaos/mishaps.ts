import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from './fleet.ts';

/** Redis is away for so long when it is restarted. */
const REDIS_AWAY_MS = 500;

/**
 * Kills a random process of the fleet, also one that just starts, again and again until `signal` aborts. It waits while
 * less than half of the fleet is up: on a machine so busy that no process gets to work before it is killed, nothing
 * could be seen.
 */
export async function killAtRandom({ members }: Fleet, everyMs: number, signal: AbortSignal): Promise<void> {
  const total = sum(members, ({ size }) => size);
  while (await passed(everyMs, signal)) {
    if (sum(members, ({ ready }) => ready) * 2 < total) continue;
    const alive = members.flatMap((member) => Array.from({ length: member.alive }, () => member));
    alive[Math.floor(Math.random() * alive.length)]?.kill();
  }
}

/** Restarts Redis `times` times, evenly over the progress of the storm (0 to 1). */
export async function restartRedis(
  { redis }: Fleet,
  times: number,
  progress: () => number,
  signal: AbortSignal,
): Promise<number> {
  let done = 0;
  while (done < times && (await passed(200, signal))) {
    if (progress() < (done + 1) / (times + 1)) continue;
    await redis.restart(REDIS_AWAY_MS);
    done += 1;
  }
  return done;
}

/** False when the wait was cut short. */
const passed = (ms: number, signal: AbortSignal): Promise<boolean> => sleep(ms, true, { signal }).catch(() => false);

const sum = <Of>(all: readonly Of[], of: (one: Of) => number): number => all.reduce((so, one) => so + of(one), 0);
