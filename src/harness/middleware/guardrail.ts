import { asAntlerError } from '../../base/errors.ts';
import { askersOf } from '../guardrails/asker.ts';
import type { Asker, GuardQuestion, Guardrails } from '../guardrails/port.ts';
import { decide } from '../guardrails/rules.ts';
import { TOOL_SEARCH } from '../tools/names.ts';
import type { MiddlewareKind, Run } from './port.ts';

const OPEN: Guardrails = { rules: [] };

const denial = (tool: string): string =>
  `Error: not run: ${tool} is not allowed here for this person. Do not try it again, and do not get at the same by another tool; tell the person that you are not allowed to do it.`;

/**
 * Keeps a run to what admins allow the people it works for: forbidden tools are not offered to the model, and each call
 * is judged again, since models call what they were not given. What cannot be judged is not allowed.
 */
export const guardrail: MiddlewareKind = {
  name: 'guardrail',
  create: ({ guardrails = OPEN } = {}) => {
    /** What the provider lets the model be offered, by what it was asked. */
    const offers = new Map<string, ReadonlySet<string>>();
    return {
      beforeModel: async (run, draft) => {
        const askers = askersOf(run.request, run.log.slice(run.turnStart));
        const tools = draft.tools.filter(({ name }) => forbidding(guardrails, name, askers) === null);
        if (guardrails.provider === undefined || tools.length === 0) return { ...draft, tools };
        const names = tools.map(({ name }) => name);
        const key = JSON.stringify([names, askers]);
        const offer = offers.get(key) ?? (await askProvider(run, guardrails, { stage: 'offer', tools: names }, askers));
        offers.set(key, offer);
        return { ...draft, tools: tools.filter(({ name }) => offer.has(name)) };
      },
      wrapTool: async (run, call, next) => {
        const name = call.name;
        if (name === TOOL_SEARCH) return next(call); // it tells of nothing but what was let through above
        const askers = askersOf(run.request, run.log.slice(run.turnStart));
        const question = { stage: 'call', tools: [name], arguments: call.arguments } as const;
        const forbidden = forbidding(guardrails, name, askers);
        if (forbidden === null && (await askProvider(run, guardrails, question, askers)).has(name)) return next(call);
        const { user, chat, assistant } = forbidden?.asker ?? askers[0] ?? {};
        const fields = { tool: name.slice(0, 64), user, chat, assistant, rule: forbidden?.rule ?? null };
        run.logger.warn(fields, 'a tool call was denied');
        return { status: 'error', text: denial(name.slice(0, 64)) };
      },
    };
  },
};

interface Forbidding {
  readonly asker: Asker;
  readonly rule: number | null;
}

/** Whom of those who ask which rule forbids a tool; null when all may use it. */
function forbidding({ rules }: Guardrails, tool: string, askers: readonly Asker[]): Forbidding | null {
  for (const asker of askers) {
    const { allowed, rule } = decide(rules, tool, asker);
    if (!allowed) return { asker, rule };
  }
  return null;
}

/** Those of the tools that the provider allows everybody who asks: all where there is none, none without an answer. */
async function askProvider(
  run: Run,
  { provider }: Guardrails,
  question: Pick<GuardQuestion, 'stage' | 'tools' | 'arguments'>,
  askers: readonly Asker[],
): Promise<ReadonlySet<string>> {
  if (provider === undefined) return new Set(question.tools);
  const { signal, context } = run.request;
  try {
    const answers = await Promise.all(
      askers.map((asker) =>
        provider.allowed({ ...question, asker, run: context.runId, thread: context.threadId }, signal),
      ),
    );
    return new Set(question.tools.filter((tool) => answers.every((answer) => answer.has(tool))));
  } catch (thrown) {
    const { code, message } = asAntlerError(thrown);
    run.logger.warn({ code, problem: message, stage: question.stage }, 'the guardrail gave no answer');
    return new Set();
  }
}
