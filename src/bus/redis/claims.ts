import { randomUUID } from 'node:crypto';
import type { Claims } from '../port.ts';
import { unavailable } from './connection.ts';
import { runPromptly, type Wiring } from './wiring.ts';

/** Longer than any platform delivers a message again (Feishu: about seven hours), in milliseconds. */
const REMEMBERED_MS = 16 * 3_600_000;

/** Claims of this process. */
export function createClaims(wiring: Wiring): Claims {
  const holder = randomUUID();
  const keyOf = (key: string): string => `${wiring.base}claim:${key}`;
  return {
    claim: async (key, holdMs) => {
      try {
        return (await wiring.prompt.set(keyOf(key), holder, 'PX', Math.max(1, holdMs), 'NX')) !== null;
      } catch (thrown) {
        throw unavailable(thrown);
      }
    },
    complete: async (key) => {
      try {
        await wiring.prompt.set(keyOf(key), 'done', 'PX', REMEMBERED_MS);
      } catch (thrown) {
        throw unavailable(thrown);
      }
    },
    release: async (key) => {
      await runPromptly(wiring, 'claim-release', key, holder);
    },
  };
}
