import type { FileId } from '../../base/ids.ts';
import type { AssistantEntry, LoggedFile, Speaker, UserEntry } from '../log.ts';
import { type LoopParts, runTurn } from '../loop.ts';
import type { Assistant, HarnessEvent, RunContext, RunResult } from '../port.ts';
import type { ToolContext, ToolSource } from '../tools/port.ts';
import { filesOf } from '../transcript/images.ts';
import type { DelegationStatus } from './ledger.ts';
import type { SubagentType } from './port.ts';
import { SUBAGENT_RULES } from './prompt.ts';

/** Files of the conversation that a sub-agent is told of, the newest ones. */
const MAX_FILES = 20;

export interface ChildOrder {
  readonly parts: LoopParts;
  readonly parent: Assistant;
  readonly type: SubagentType;
  readonly prompt: string;
  readonly context: ToolContext;
  /** Stops it. */
  readonly signal: AbortSignal;
  readonly onUsage: (event: Extract<HarnessEvent, { type: 'usage' }>) => void;
  readonly onCall: () => void;
}

/** How a sub-agent has ended. */
export interface ChildEnd {
  readonly status: Exclude<DelegationStatus, 'running'>;
  /** What it has to report; may be empty. */
  readonly text: string;
  /** Why it failed, without words of a provider. */
  readonly code?: string;
}

/** Runs a sub-agent to its end: a turn of its own with an empty history, of which nothing but the report is kept. */
export async function runChild({ parts, parent, type, prompt, context, ...order }: ChildOrder): Promise<ChildEnd> {
  const run = runTurn(
    { ...parts, tools: sourcesFor(parts.tools, parent, type) },
    {
      assistant: childAssistant(parent, type),
      // What is handed on to nobody's chat is not shown as something said in a group.
      context: {
        ...withoutPerson(context.run),
        runId: `${context.run.runId}/${context.idempotencyKey}`,
        others: speakersOf(context),
        chatKind: 'dm',
      },
      rules: SUBAGENT_RULES,
      history: [],
      input: [taskEntry(prompt, context)],
      signal: order.signal,
      files: context.files,
    },
  );
  let report: AssistantEntry | null = null;
  let cut = false;
  for (;;) {
    const next = await run.next();
    if (next.done === true) return endOf(next.value, report?.text ?? '', cut);
    const event = next.value;
    if (event.type === 'usage') order.onUsage(event);
    if (event.type === 'tool_start') order.onCall();
    if (event.type === 'notice') cut ||= event.sentence === 'model_broken_off' || event.sentence === 'answer_withheld';
    if (event.type === 'entry' && event.entry.kind === 'assistant' && event.entry.text.trim() !== '')
      report = event.entry;
  }
}

/** A sub-agent gets what it needs with its task, and nothing of what is remembered about people. */
function withoutPerson({ person: _, ...context }: RunContext): RunContext {
  return context;
}

function endOf(result: RunResult, report: string, cut: boolean): ChildEnd {
  const text = report.trim() === '' ? result.text : report;
  switch (result.status) {
    case 'completed':
    case 'asked':
      return { status: cut ? 'capped' : 'done', text };
    case 'step_limit':
      return { status: 'capped', text };
    case 'cancelled':
      return { status: 'cancelled', text };
    case 'failed':
      return { status: 'failed', text, code: result.code };
    default:
      return result satisfies never;
  }
}

function childAssistant(parent: Assistant, type: SubagentType): Assistant {
  const own = type.model;
  return {
    id: parent.id,
    soul: type.soul,
    model: own ?? parent.model,
    fallbacks: own === undefined ? parent.fallbacks : [],
    tools: type.tools,
    ...(parent.sandbox === undefined ? {} : { sandbox: parent.sandbox }),
    maxSteps: type.maxSteps,
    maxRunTokens: Math.min(type.maxRunTokens, parent.maxRunTokens ?? type.maxRunTokens),
  };
}

/**
 * A sub-agent's tools are found as its parent's are, so that it never has one that its parent has not; of those, the
 * ones that its type names and that do not speak to people.
 */
function sourcesFor(sources: readonly ToolSource[], parent: Assistant, { tools }: SubagentType): readonly ToolSource[] {
  return sources.map((source) => ({
    name: source.name,
    tools: async (_child, context) =>
      (await source.tools(parent, context)).filter(
        ({ name, forPeople }) => forPeople !== true && (tools.includes('all') || tools.includes(name)),
      ),
  }));
}

/** Everybody who has spoken in the parent's turn: a sub-agent may do no more than all of them. */
function speakersOf({ log, turnId, run }: ToolContext): readonly Speaker[] {
  const turn = log.slice(
    Math.max(
      0,
      log.findIndex(({ id }) => id === turnId),
    ),
  );
  return [...(run.others ?? []), ...turn.flatMap((entry) => (entry.kind === 'user' ? [entry.speaker] : []))];
}

function taskEntry(prompt: string, { run, clock, log, idempotencyKey }: ToolContext): UserEntry {
  const files = new Map<FileId, LoggedFile>();
  for (const entry of log) if (entry.kind === 'user') for (const file of filesOf(entry)) files.set(file.id, file);
  return {
    kind: 'user',
    id: idempotencyKey,
    at: clock.now(),
    text: prompt,
    speaker: run.speaker,
    ...(files.size === 0 ? {} : { files: [...files.values()].slice(-MAX_FILES) }),
  };
}
