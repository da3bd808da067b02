import type { ToolCall } from '../log.ts';
import { callKey } from '../tools/call-key.ts';
import type { MiddlewareKind, Verdict } from './port.ts';

/** Steps that are looked back on. */
const WINDOW = 20;
const WARN_AT = 3;
const STOP_AT = 5;
/** Steps in a row in which every call failed. */
const MAX_FAILED_STEPS = 6;

const WARNING =
  'You have made the same tool calls several times; their results will not change. Use what you have, try another way, or answer.';
const REFUSED = 'not run: the same calls were made several times already without getting further.';
const REFUSED_AFTER_FAILURES = 'not run: every call of the last steps failed.';

/** Notices a model that goes round in circles: warns it, then has it close with an answer. */
export const loopDetection: MiddlewareKind = {
  name: 'loop-detection',
  create: () => {
    const recent: string[] = [];
    const warned = new Set<string>();
    let failedSteps = 0;
    let outcomes = { ok: 0, error: 0 };
    return {
      afterModel: (run, reply): Verdict => {
        if (reply.toolCalls.length === 0) return { kind: 'pass', reply };
        failedSteps = outcomes.ok === 0 && outcomes.error > 0 ? failedSteps + 1 : 0;
        outcomes = { ok: 0, error: 0 };

        const key = callSetKey(reply.toolCalls);
        recent.push(key);
        if (recent.length > WINDOW) recent.shift();
        const times = recent.filter((other) => other === key).length;
        if (times >= STOP_AT || failedSteps >= MAX_FAILED_STEPS) {
          run.closing = 'loop';
          run.logger.warn({ step: run.step, times, failedSteps }, 'the model goes round in circles');
          return { kind: 'refuse_calls', reply, why: times >= STOP_AT ? REFUSED : REFUSED_AFTER_FAILURES };
        }
        if (times >= WARN_AT && !warned.has(key)) {
          warned.add(key);
          run.note(WARNING);
        }
        return { kind: 'pass', reply };
      },
      wrapTool: async (_run, call, next) => {
        const outcome = await next(call);
        outcomes[outcome.status]++;
        return outcome;
      },
    };
  },
};

/** Equal for equal calls, in whatever order they and their arguments are written. */
export const callSetKey = (calls: readonly ToolCall[]): string => calls.map(callKey).sort().join('\n');
