import { ASK_CLARIFICATION } from '../tools/ask-clarification.ts';
import type { MiddlewareKind } from './port.ts';

const ASKED = 'The question was put to the person. The answer comes with their next message.';
const ONE_AT_A_TIME = 'Error: one question at a time; another one was put to the person. Ask this one later.';

/** A question to the person ends the run; the answer is the next turn. */
export const clarification: MiddlewareKind = {
  name: 'clarification',
  create: () => ({
    wrapTool: async (run, call, next) => {
      if (call.name !== ASK_CLARIFICATION) return next(call);
      const outcome = await next(call);
      if (outcome.status === 'error') return outcome;
      if (run.question !== null) return { status: 'error', text: ONE_AT_A_TIME };
      run.question = outcome.text;
      return { status: 'ok', text: ASKED };
    },
  }),
};
