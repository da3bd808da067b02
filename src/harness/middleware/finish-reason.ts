import { failed } from '../outcome.ts';
import type { MiddlewareKind, Verdict } from './port.ts';

const CUT_CALLS =
  'nothing was done: your answer reached the output limit, so this call may be incomplete. Make it shorter, split it into several, or answer in text.';

/**
 * Answers that did not end by themselves. Tool calls in them may be incomplete and are never run; text that was cut or
 * withheld does not pass for a whole answer.
 */
export const finishReason: MiddlewareKind = {
  name: 'finish-reason',
  create: () => ({
    afterModel: (run, reply): Verdict => {
      const hasText = reply.text.trim() !== '';
      if (reply.finish === 'length') {
        if (reply.toolCalls.length > 0) return { kind: 'refuse_calls', reply, why: CUT_CALLS };
        if (hasText) run.emit({ type: 'notice', sentence: 'model_broken_off' });
        return { kind: 'pass', reply };
      }
      if (reply.finish !== 'content_filter') return { kind: 'pass', reply };

      const withoutCalls = { ...reply, toolCalls: [] };
      if (hasText) {
        run.emit({ type: 'notice', sentence: 'answer_withheld' });
        return { kind: 'pass', reply: withoutCalls };
      }
      const detail = `model ${reply.model}: the provider withheld the answer`;
      return { kind: 'end', reply: withoutCalls, result: failed(run, 'content_refused', 'model_refused', detail) };
    },
  }),
};
