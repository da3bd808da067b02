import type { MiddlewareKind, Verdict } from './port.ts';

/** Calls that are looked back on. */
const WINDOW = 60;
const WARN_AT = 30;
const STOP_AT = 50;

const warning = (tool: string): string =>
  `You have called ${tool} very often. If what you have is enough, answer; otherwise find a way that takes fewer calls.`;

/**
 * Notices a model that calls one tool again and again with other arguments each time, which no comparison of calls
 * finds: warns it, then has it close with an answer.
 */
export const toolFrequency: MiddlewareKind = {
  name: 'tool-frequency',
  create: () => {
    const recent: string[] = [];
    const warned = new Set<string>();
    return {
      afterModel: (run, reply): Verdict => {
        for (const { name } of reply.toolCalls) recent.push(name);
        recent.splice(0, recent.length - WINDOW);
        for (const tool of new Set(reply.toolCalls.map(({ name }) => name))) {
          const times = recent.filter((other) => other === tool).length;
          if (times >= STOP_AT) {
            run.closing ??= 'loop';
            run.logger.warn({ step: run.step, tool: tool.slice(0, 64), times }, 'one tool is called again and again');
            return { kind: 'refuse_calls', reply, why: `not run: ${tool.slice(0, 64)} was called too often.` };
          }
          if (times >= WARN_AT && !warned.has(tool)) {
            warned.add(tool);
            run.note(warning(tool.slice(0, 64)));
          }
        }
        return { kind: 'pass', reply };
      },
    };
  },
};
