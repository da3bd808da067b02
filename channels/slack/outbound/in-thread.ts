import type { Target } from '../../../src/channel/port.ts';
import { reasonOf } from '../errors.ts';

/** The root of the thread is gone, or takes no answers; then the answer stands for itself. */
const NO_THREAD = new Set(['thread_not_found', 'invalid_thread_ts', 'cannot_reply_to_message']);

/** Does it in the thread; without one when there is no such thread any more. */
export async function inThread<Result>(target: Target, act: (where: Target) => Promise<Result>): Promise<Result> {
  try {
    return await act(target);
  } catch (error) {
    if (target.topic === undefined || !NO_THREAD.has(reasonOf(error) ?? '')) throw error;
    const { topic: _, ...place } = target;
    return await act(place);
  }
}
