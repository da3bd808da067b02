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

/** What is otherwise than in a conversation. */
const TASK =
  'This is a task that was delegated to you, apart from what else is said there. Work until it is done; people see what you are doing. Your last message is posted there as the result: what came of it in a few sentences, longer things as files. Who answers you later answers about this task:';

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
      ...(context.task === undefined ? [] : [`${TASK} “${asName(context.task)}”`]),
    ].join('\n'),
  );
}

const whom = ({ name, id }: Speaker): string =>
  name === '' ? `a person of unknown name, id ${asName(id)}` : `${asName(name)} (id ${asName(id)})`;
