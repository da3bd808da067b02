import { createHash } from 'node:crypto';
import type { ToolCall } from '../log.ts';
import { callKey } from '../tools/call-key.ts';
import { parseArguments } from '../transcript/arguments.ts';
import type { MiddlewareKind, ToolOutcome } from './port.ts';

/** The same outcome so often in a row is remarked on, */
const ADVISE_AT = 3;
/** and then there is no further try. */
const REFUSE_AT = 5;
/** Targets of a run that are remembered. */
const MAX_TARGETS = 500;
/** Arguments that say what a call is about. */
const TARGET_KEYS = ['path', 'file', 'url', 'command', 'query', 'pattern'] as const;

const ADVICE = {
  ok: 'You have this already: the same call gave the same result before. Use it, or do something else.',
  error: 'It failed like this before, on the same thing. Another try will not help: find the cause, or another way.',
} as const;

interface Streak {
  readonly kind: string;
  readonly status: ToolOutcome['status'];
  /** The call that had the last outcome. */
  readonly call: string;
  readonly length: number;
}

/**
 * Notices a tool that gets no further with one thing: the same file read again and again, one page that keeps
 * refusing. It is told of that thing alone; the tool goes on working for others.
 */
export const toolProgress: MiddlewareKind = {
  name: 'tool-progress',
  create: () => {
    const streaks = new Map<string, Streak>();
    return {
      wrapTool: async (_run, call, next) => {
        const target = targetOf(call);
        const before = streaks.get(target);
        const repeats = before !== undefined && (before.status === 'error' || before.call === callKey(call));
        if (before !== undefined && repeats && before.length >= REFUSE_AT)
          return { status: 'error', text: `Error: not run. ${ADVICE[before.status]}` };
        const outcome = await next(call);
        const kind = kindOf(call, outcome);
        const length = before?.kind === kind ? before.length + 1 : 1;
        if (before === undefined && streaks.size >= MAX_TARGETS) streaks.delete(streaks.keys().next().value ?? '');
        streaks.set(target, { kind, status: outcome.status, call: callKey(call), length });
        return length < ADVISE_AT ? outcome : { ...outcome, text: `${outcome.text}\n\n(${ADVICE[outcome.status]})` };
      },
    };
  },
};

function targetOf(call: ToolCall): string {
  const parsed = parseArguments(call.arguments);
  const key = parsed.ok ? TARGET_KEYS.find((name) => typeof parsed.value[name] === 'string') : undefined;
  return parsed.ok && key !== undefined ? `${call.name} ${String(parsed.value[key])}` : callKey(call);
}

/** Equal for outcomes that tell nothing new: the same text of the same call, or errors that differ by numbers alone. */
function kindOf(call: ToolCall, { status, text }: ToolOutcome): string {
  const told = status === 'ok' ? `${callKey(call)}\n${text}` : (text.split('\n')[0] ?? '').replace(/\d+/g, '#');
  return `${status} ${createHash('sha256').update(told).digest('base64url')}`;
}
