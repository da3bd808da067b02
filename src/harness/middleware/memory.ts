import { asAntlerError } from '../../base/errors.ts';
import type { UserEntry } from '../log.ts';
import { memoryPlace } from '../memory/place.ts';
import type { MemorySection } from '../memory/port.ts';
import { asData, framed } from '../transcript/frame.ts';
import type { MiddlewareKind, Run } from './port.ts';

/** Of what was said in this turn, for finding what has to do with it. */
const MAX_TEXT_CHARS = 4_000;

/**
 * Tells the model what is remembered about whom it answers, and in a group about the group: chosen anew for each turn by
 * what was said, the same for all steps of it. It stands in requests only and never in the log, so that erasing it where
 * it is kept erases it, and so that it is not learnt again as if somebody had said it.
 */
export const memory: MiddlewareKind = {
  name: 'memory',
  create: ({ memory: access } = {}) => {
    let written = '';
    return {
      beforeRun: async (run) => {
        const place = memoryPlace(run.request.context);
        if (access === undefined || place === null) return;
        try {
          written = write(await access.recall(place, textOf(run)), run);
        } catch (thrown) {
          const { code, message } = asAntlerError(thrown);
          run.logger.warn({ code, problem: message }, 'a run goes without what is remembered');
        }
      },
      beforeModel: (_run, draft) =>
        written === '' ? draft : { ...draft, context: `${draft.context}\n${written}`.trim() },
    };
  },
};

function textOf(run: Run): string {
  const said = run.log.slice(run.turnStart).filter((entry): entry is UserEntry => entry.kind === 'user');
  return said
    .flatMap(({ text, quote }) => [text, quote?.text ?? ''])
    .join('\n')
    .slice(-MAX_TEXT_CHARS);
}

const TITLES = {
  person: 'About the person you answer',
  group: 'About this group',
} as const satisfies Record<MemorySection['about'], string>;

/** Each section has a frame of its own, and each fact is one line of it, whatever stands in it. */
const write = (sections: readonly MemorySection[], { request }: Run): string =>
  sections
    .map(({ about, lines }) => {
      const whom =
        about === 'person' && request.context.speaker.name !== '' ? { of: request.context.speaker.name } : {};
      const shown = lines.map((line) => `- ${asData(line).replace(/\s+/g, ' ')}`);
      return framed('memory', [`${TITLES[about]}:`, ...shown].join('\n'), whom);
    })
    .join('\n');
