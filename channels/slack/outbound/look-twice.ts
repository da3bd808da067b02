import type { Clock } from '../../../src/base/clock.ts';

const SECOND_LOOK_MS = 2_000;

/**
 * Looks right after an answer was lost, and once more, since Slack may still be working on it. Undefined when it is not
 * there, or when that cannot be found out: then it stays uncertain.
 */
export async function lookTwice<Found>(
  look: () => Promise<Found | undefined>,
  clock: Pick<Clock, 'sleep'>,
): Promise<Found | undefined> {
  const seen = (): Promise<Found | undefined> => look().catch(() => undefined);
  const found = await seen();
  if (found !== undefined) return found;
  await clock.sleep(SECOND_LOOK_MS);
  return seen();
}
