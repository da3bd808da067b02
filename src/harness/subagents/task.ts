import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import type { LoopParts } from '../loop.ts';
import type { Assistant } from '../port.ts';
import { defineTool, NO_TIMEOUT_MS, type Tool, type ToolContext, type ToolSource } from '../tools/port.ts';
import { cutMiddle } from '../transcript/text.ts';
import { type ChildEnd, runChild } from './child.ts';
import { DELEGATIONS, type Delegation, readLedger, withDelegation } from './ledger.ts';
import type { FairLimiter } from './limiter.ts';
import type { Subagents, SubagentType } from './port.ts';
import { ProgressBoard } from './progress.ts';
import { typesFor } from './types.ts';

/** What hands work to a sub-agent. */
export const TASK = 'task';

/** About 3,000 tokens of English. */
const MAX_REPORT_CHARS = 12_000;

/** The tool by which an assistant hands work on, for those that may. */
export function taskSource(parts: () => LoopParts, limiter: FairLimiter): ToolSource {
  return {
    name: 'sub-agents',
    tools: async (assistant) => {
      const { subagents, tools } = assistant;
      if (subagents === undefined || !(tools.includes('all') || tools.includes(TASK))) return [];
      const { exec } = await parts().workspaces.means();
      return [taskTool(parts(), limiter, assistant, subagents, typesFor(subagents.types, exec))];
    },
  };
}

function taskTool(
  parts: LoopParts,
  limiter: FairLimiter,
  parent: Assistant,
  { atOnce, perRun }: Subagents,
  types: readonly SubagentType[],
): Tool {
  const board = new ProgressBoard();
  const list = types.map(({ name, description }) => `${name}: ${description}`).join('; ');
  return defineTool({
    name: TASK,
    description: `Hands a task to a sub-agent, which works on it alone with tools of its own and reports back. Use it for work of many steps whose details you do not need, or to have up to ${atOnce} independent things done at once (several calls in one step); at most ${perRun} in one answer. Do simple things yourself. Types: ${list}.`,
    input: z.object({
      description: z
        .string()
        .trim()
        .min(1)
        .max(120)
        .describe('What it is about, in a few words; the person sees them.'),
      prompt: z
        .string()
        .trim()
        .min(1)
        .max(20_000)
        .describe('All that it needs to know: it sees nothing of this conversation. Say what it is to report.'),
      type: z.enum(types.map(({ name }) => name) as [string, ...string[]]).default('general'),
    }),
    // It tells of what others wrote.
    trust: 'remote',
    forPeople: true,
    timeoutMs: NO_TIMEOUT_MS,
    run: async ({ description, prompt, type: wanted }, context, signal) => {
      const type = types.find(({ name }) => name === wanted);
      if (type === undefined) throw new AntlerError('bad_input', `type: there is ${list}`);
      const { idempotencyKey: id, turnId: turn } = context;
      const note = (status: Delegation['status'], brief = ''): void =>
        keepDelegation(context, { id, turn, type: type.name, description, status, brief, at: context.clock.now() });
      const sameTurn = readLedger(context.state(DELEGATIONS)).filter((one) => one.turn === turn && one.id !== id);
      if (sameTurn.length >= perRun)
        throw new AntlerError(
          'conflict',
          `the limit of ${perRun} sub-agents for one answer is reached; do what is left yourself, or say what is missing`,
        );
      note('running');
      let leave = (): void => {};
      let calls = 0;
      const timeUp = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      try {
        context.progress(board.working(id, description, calls));
        leave = await limiter.enter(context.run.speaker.id, atOnce, signal);
        timer = setTimeout(() => timeUp.abort(), type.timeoutMs);
        const end = await runChild({
          parts,
          parent,
          type,
          prompt,
          context,
          signal: AbortSignal.any([signal, timeUp.signal]),
          onUsage: context.spend,
          onCall: () => context.progress(board.working(id, description, ++calls)),
        });
        if (signal.aborted) throw new AntlerError('cancelled', 'stopped');
        const outcome: ChildEnd = timeUp.signal.aborted ? { ...end, status: 'timed_out' } : end;
        note(outcome.status, outcome.text);
        return report(description, type, outcome);
      } catch (thrown) {
        note(signal.aborted ? 'cancelled' : 'failed');
        throw thrown;
      } finally {
        clearTimeout(timer);
        leave();
        context.progress(board.ended(id));
      }
    },
  });
}

function keepDelegation(context: ToolContext, next: Delegation): void {
  context.keep(DELEGATIONS, withDelegation(readLedger(context.state(DELEGATIONS)), next));
}

function report(description: string, { name, timeoutMs }: SubagentType, { status, text, code }: ChildEnd): string {
  const said = text.trim() === '' ? '(It said nothing.)' : cutMiddle(text, MAX_REPORT_CHARS);
  return `${description} (${name}): ${outcomeLine(status, timeoutMs, code)}\n\n${said}`;
}

function outcomeLine(status: ChildEnd['status'], timeoutMs: number, code: string | undefined): string {
  switch (status) {
    case 'done':
      return 'done.';
    case 'capped':
      return 'ended at its limit of steps or tokens. Use what it has, or hand on something narrower.';
    case 'timed_out':
      return `stopped after ${Math.round(timeoutMs / 60_000)} minutes. Use what it has, or hand on something smaller.`;
    case 'failed':
      return `failed (${code ?? 'internal'}). Do it yourself, or try once more with another plan.`;
    case 'cancelled':
      return 'was stopped.';
    default:
      return status satisfies never;
  }
}
