import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from './fleet.ts';
import type { Plan } from './plan.ts';
import type { Platform } from './platform.ts';

/** Redis is away for so long when it is restarted. */
const REDIS_AWAY_MS = 500;

/**
 * Kills a random process of the fleet, also one that just starts, again and again until `signal` aborts. It waits while
 * less than half of the fleet is up: on a machine so busy that no process gets to work before it is killed, nothing
 * could be seen.
 */
export async function killAtRandom({ members }: Fleet, everyMs: number, signal: AbortSignal): Promise<void> {
  while (await passed(everyMs, signal)) {
    if (members.filter(({ ready }) => ready).length * 2 < members.length) continue;
    const alive = members.filter((member) => member.alive);
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

/** Cuts the answers of a share of the sends off, after they were done. Returns how often so far, and the end of it. */
export function dropAnswers({ telegram }: Platform, { dropped }: Plan): { readonly count: () => number; end(): void } {
  let planned = 0;
  const end = telegram.events.subscribe((event) => {
    if (event.type !== 'message' || !event.message.from.isBot || Math.random() >= dropped) return;
    planned += 1;
    telegram.faults.plan('sendMessage', { kind: 'drop', processed: true });
  });
  return {
    count: () => planned,
    end: () => {
      end();
      telegram.faults.clear();
    },
  };
}

/** False when the wait was cut short. */
const passed = (ms: number, signal: AbortSignal): Promise<boolean> => sleep(ms, true, { signal }).catch(() => false);
