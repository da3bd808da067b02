import type { MiddlewareKind } from './port.ts';

/** Tells the person when the answer is not by the model that they are used to. */
export const fallbackNotice: MiddlewareKind = {
  name: 'fallback-notice',
  create: () => {
    let isTold = false;
    return {
      afterModel: (run, reply) => {
        const isAnswer = reply.text.trim() !== '' && reply.toolCalls.length === 0;
        if (isAnswer && !isTold && reply.model !== run.request.assistant.model.name) {
          isTold = true;
          run.emit({ type: 'notice', sentence: 'model_fallback', values: { model: reply.model } });
        }
        return { kind: 'pass', reply };
      },
    };
  },
};
