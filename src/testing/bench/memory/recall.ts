import type { PersonId } from '../../../base/ids.ts';
import { estimateTokens } from '../../../harness/transcript/tokens.ts';
import { createMemory } from '../../../memory/memory.ts';
import type { MemorySettings } from '../../../memory/port.ts';
import type { Store } from '../../../store/port.ts';
import { personNamed, questions, type Size } from './fill.ts';

export const settings: MemorySettings = {
  maxFacts: 100,
  injectTokens: 800,
  debounceMs: 1_000,
  notice: false,
  noticeInGroups: false,
};

const NOW = 1_781_000_000_000;

/** How long it takes, in milliseconds each, until it is known what to tell a model: of people picked at random. */
export async function measureRecall(
  store: Store,
  { persons }: Size,
  samples: number,
  atOnce: number,
): Promise<number[]> {
  const memory = createMemory({ store, settings, tokensOf: estimateTokens, clock: { now: () => NOW } });
  const times: number[] = [];
  let left = samples;
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      const number = Math.floor(Math.random() * persons) + 1;
      const place = {
        person: personNamed(number) as PersonId,
        ...{ channel: 'telegram', chat: String(number), chatKind: 'dm' as const },
      };
      const begun = performance.now();
      const sections = await memory.recall(place, questions[number % questions.length] ?? '');
      times.push(performance.now() - begun);
      if (sections.length !== 1) throw new Error('nothing was recalled of somebody');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return times;
}
