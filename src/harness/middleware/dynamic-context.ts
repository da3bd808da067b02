import type { Speaker } from '../log.ts';
import type { RunContext } from '../port.ts';
import { writeMoment } from '../time.ts';
import { asName, framed } from '../transcript/frame.ts';
import type { MiddlewareKind } from './port.ts';

/**
 * Tells the model when, where and to whom it speaks. Stands with this turn's messages and not in the system prompt,
 * and is the same for every step of a turn: so everything before this turn stays cached at the endpoint.
 */
export const dynamicContext: MiddlewareKind = {
  name: 'dynamic-context',
  create: () => {
    let context = '';
    return {
      beforeRun: (run) => {
        context = writeContext(run.request.context, run.clock.now());
      },
      beforeModel: (_run, draft) => ({ ...draft, context }),
    };
  },
};

export function writeContext(context: RunContext, now: number): string {
  const place = context.chatKind === 'dm' ? 'a private chat' : 'a group';
  const title = context.chatTitle === undefined ? '' : ` "${asName(context.chatTitle)}"`;
  const language = context.language === 'zh' ? 'Chinese' : 'English';
  return framed(
    'context',
    [
      `Now: ${writeMoment(now, context.timeZone)}`,
      `Where: ${place}${title} on ${asName(context.platform)}`,
      `You answer: ${whom(context.speaker)}, who uses the app in ${language}`,
    ].join('\n'),
  );
}

const whom = ({ name, id }: Speaker): string =>
  name === '' ? `a person of unknown name, id ${asName(id)}` : `${asName(name)} (id ${asName(id)})`;
