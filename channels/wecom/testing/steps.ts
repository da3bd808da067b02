import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../src/base/clock.ts';
import type { Target } from '../../../src/channel/port.ts';
import { targetOf } from '../../../src/channel/target.ts';
import { shortSleep } from '../../../src/channel/testing/desk.ts';
import type { startRig } from './rig.ts';

type Rig = Awaited<ReturnType<typeof startRig>>;

/** A message of Ann's, as a target for answers. */
export async function opened(rig: Rig, text = 'open'): Promise<Target> {
  rig.wecom.people.say(rig.ann, rig.direct, text);
  return targetOf(await rig.inbox.next());
}

/** A clock that the test sets ahead; waits are over in a moment. */
export function settable(): Clock & { ahead: number; readonly slept: number[] } {
  const slept: number[] = [];
  const clock = {
    ahead: 0,
    slept,
    now: () => Date.now() + clock.ahead,
    sleep: (ms: number, signal?: AbortSignal) => {
      slept.push(ms);
      return shortSleep(ms, signal);
    },
  };
  return clock;
}

/** What was sent under a command, oldest first. */
export const bodies = (rig: Rig, cmd: string): unknown[] => rig.wecom.calls.list(cmd).map(({ body }) => body);

/** Resolves once `condition` holds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('it did not come to be within 15 s');
    await sleep(5);
  }
}
