import { randomUUID } from 'node:crypto';
import type { Claims } from '../port.ts';
import { unavailable } from './connection.ts';
import { runPromptly, type Wiring } from './wiring.ts';

/** Longer than any platform delivers a message again (Feishu: about seven hours), in milliseconds. */
const REMEMBERED_MS = 16 * 3_600_000;

/** What stands for a claim's holder once it is completed. */
const DONE = 'done';

/** Claims of this process. */
export function createClaims(wiring: Wiring): Claims {
  const holder = randomUUID();
  const keyOf = (key: string): string => `${wiring.base}claim:${key}`;
  return {
    claim: async (key, holdMs) => {
      try {
        const { prompt } = wiring;
        if ((await prompt.set(keyOf(key), holder, 'PX', Math.max(1, holdMs), 'NX')) !== null) return 'yours';
        return (await prompt.get(keyOf(key))) === DONE ? 'done' : 'held';
      } catch (thrown) {
        throw unavailable(thrown);
      }
    },
    complete: async (key) => {
      try {
        await wiring.prompt.set(keyOf(key), DONE, 'PX', REMEMBERED_MS);
      } catch (thrown) {
        throw unavailable(thrown);
      }
    },
    release: async (key) => {
      await runPromptly(wiring, 'claim-release', key, holder);
    },
  };
}
