import type { MiddlewareKind } from './port.ts';

/** Reports what each model step took. */
export const usage: MiddlewareKind = {
  name: 'usage',
  create: () => ({
    wrapModel: async (run, draft, next) => {
      const reply = await next(draft);
      if (reply.usage !== undefined) run.emit({ type: 'usage', model: reply.model, ...reply.usage });
      return reply;
    },
  }),
};
