import type { UserEntry } from '../log.ts';
import { filesOf } from '../transcript/images.ts';
import type { MiddlewareKind } from './port.ts';

const MAX_CHARS = 60;

/** Calls a new conversation by the first words that were said in it; lists of conversations show it. */
export const title: MiddlewareKind = {
  name: 'title',
  create: () => ({
    afterRun: (run, result) => {
      // However it ended, once it had begun: a first turn that was stopped or failed has no other chance.
      const hasBegun = run.step > 0 || result.status === 'asked';
      const isNew = run.turnStart === 0 && run.request.rules === undefined;
      const words = hasBegun && isNew ? titleOf(run.request.input) : '';
      if (words !== '') run.emit({ type: 'title', text: words });
      return result;
    },
  }),
};

/** The first words of the first message that has some, or the name of its file. */
export function titleOf(entries: readonly UserEntry[]): string {
  for (const entry of entries) {
    const text = entry.text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
    const words = text === '' ? (filesOf(entry)[0]?.name ?? '') : text;
    if (words !== '') return shortened(words);
  }
  return '';
}

/** At a space where there is one, with room for the ellipsis. */
function shortened(words: string): string {
  if (words.length <= MAX_CHARS) return words;
  const cut = words.slice(0, MAX_CHARS - 1).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${(space > MAX_CHARS / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
