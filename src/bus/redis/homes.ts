import type { ThreadId } from '../../base/ids.ts';
import { unavailable } from './connection.ts';
import type { Wiring } from './wiring.ts';

/** Longer than a thread that nobody speaks in is remembered, in seconds. */
const REMEMBERED_S = 91 * 86_400;

/**
 * Which shard a thread lives in. Kept, since people may go on with a conversation in another chat, whose shard is
 * another one, and a thread has one inbox.
 */
export interface Homes {
  find(thread: ThreadId): Promise<number | null>;
  /** The thread's home, which is `shard` from now on if it had none. */
  settle(thread: ThreadId, shard: number): Promise<number>;
}

export function createHomes({ prompt, base }: Wiring): Homes {
  const keyOf = (thread: ThreadId): string => `${base}home:${thread}`;
  const find = async (thread: ThreadId): Promise<number | null> => {
    const home = await prompt.get(keyOf(thread));
    return home === null ? null : Number(home);
  };
  return {
    find: async (thread) => {
      try {
        return await find(thread);
      } catch (thrown) {
        throw unavailable(thrown);
      }
    },
    settle: async (thread, shard) => {
      try {
        if ((await prompt.set(keyOf(thread), String(shard), 'EX', REMEMBERED_S, 'NX')) !== null) return shard;
        const [home] = await Promise.all([find(thread), prompt.expire(keyOf(thread), REMEMBERED_S)]);
        return home ?? shard;
      } catch (thrown) {
        throw unavailable(thrown);
      }
    },
  };
}
