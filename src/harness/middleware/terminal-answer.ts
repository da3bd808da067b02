import { failed } from '../outcome.ts';
import type { MiddlewareKind, Verdict } from './port.ts';

const ASK_AGAIN = 'Your last answer held no text that the person can see. Write the answer now, as plain visible text.';

/**
 * A run never ends in silence: a model that gives neither text nor calls (or only thoughts) is asked once more, then
 * the person is told. Thoughts are never posted in place of an answer.
 */
export const terminalAnswer: MiddlewareKind = {
  name: 'terminal-answer',
  create: () => {
    let askedAgain = false;
    return {
      afterModel: (run, reply): Verdict => {
        if (reply.toolCalls.length > 0 || reply.text.trim() !== '') return { kind: 'pass', reply };
        if (!askedAgain) {
          askedAgain = true;
          run.note(ASK_AGAIN);
          return { kind: 'again' };
        }
        const detail = `model ${reply.model}: two answers without text (finish reason ${reply.finish})`;
        return { kind: 'end', reply, result: failed(run, 'unavailable', 'model_empty', detail) };
      },
    };
  },
};
