import type { MiddlewareKind, Verdict } from './port.ts';

/** Share of the budget at which the model is told to come to an end. */
const WARN_AT = 0.7;

/** A run takes so many tokens, input and output together; near the end the model is warned, then it has to close. */
export const tokenBudget: MiddlewareKind = {
  name: 'token-budget',
  create: () => {
    let warned = false;
    return {
      afterModel: (run, reply): Verdict => {
        const budget = run.request.assistant.maxRunTokens;
        const { spent } = run;
        if (budget === undefined || reply.toolCalls.length === 0) return { kind: 'pass', reply };
        if (spent >= budget) {
          run.closing ??= 'token_budget';
          run.logger.warn({ step: run.step, spent, budget }, 'the run has used its tokens');
          return { kind: 'refuse_calls', reply, why: 'not run: the tokens for this are used up.' };
        }
        if (!warned && spent >= budget * WARN_AT) {
          warned = true;
          const left = Math.round((1 - spent / budget) * 100);
          run.note(`About ${left} % of the tokens for this are left. Finish what matters most, then answer.`);
        }
        return { kind: 'pass', reply };
      },
    };
  },
};
