import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Answer } from '../answer.ts';
import type { Question } from '../clarify/questions.ts';
import type { Guardrails } from '../guardrails/port.ts';
import type { LogEntry, ToolCall, UserEntry } from '../log.ts';
import type { MemoryAccess } from '../memory/port.ts';
import type { ModelReply } from '../model/port.ts';
import type { HarnessEvent, RunRequest, RunResult } from '../port.ts';
import type { Workspace } from '../sandbox/port.ts';
import type { SkillShelf } from '../skills/port.ts';
import type { Tool } from '../tools/port.ts';

/** A run as middlewares see it. What only one of them needs it keeps to itself: each is made anew for every run. */
export interface Run {
  readonly request: RunRequest;
  readonly clock: Clock;
  readonly logger: Logger;
  /** History, this turn's input, and what the run has added so far. */
  readonly log: readonly LogEntry[];
  /** The same on every re-run of the turn. */
  readonly turnId: string;
  /** Index in `log` of this turn's first entry. */
  readonly turnStart: number;
  readonly answer: Answer;
  /** Model steps begun, this one included. */
  readonly step: number;
  /** Tokens of all model calls so far, in and out; of sub-agents and questions beside the conversation, too. */
  readonly spent: number;
  /** Why the run is being brought to an end by one last answer without tools; null: it is not. */
  closing: Closing | null;
  /** What was put to the person; ends the run once the step's tools are done. */
  question: Pick<Question, 'id' | 'text' | 'options'> | null;
  /** What commands get in their environment; never in a request or a log. */
  commandEnv: Readonly<Record<string, string>>;
  /** Tells the model something with its next request, and never again. */
  note(text: string): void;
  /** The newest value kept under `key` in this conversation; undefined when there is none. */
  state(key: string): unknown;
  /** Keeps a value for later turns, see {@link StateEntry}. */
  keep(key: string, value: unknown): void;
  /** Puts an entry into the log, e.g. a summary. */
  record(entry: LogEntry): void;
  /** What a new entry of this run is called and when it is made. */
  stamp(): { readonly id: string; readonly at: number };
  /** The owner's files and commands; opened at the first call of a run. */
  workspace(): Promise<Workspace>;
  /** Asks a model something beside the conversation, without tools; its tokens count for the run. */
  complete(request: Completion): Promise<string>;
  emit(event: HarnessEvent): void;
}

export type Closing = 'step_limit' | 'loop' | 'token_budget';

/** A question to the assistant's model, or a fallback of it, beside the conversation. */
export interface Completion {
  readonly system: string;
  readonly user: string;
  readonly maxOutputTokens: number;
}

/** A model request in the making. */
export interface Draft {
  readonly system: string;
  /** How a message of a person is written down. */
  readonly render: (entry: UserEntry) => string;
  /** Stands before this turn's messages. */
  readonly context: string;
  readonly notes: readonly string[];
  readonly tools: readonly Tool[];
}

/** What becomes of a reply. The first middleware that does not pass it on decides. */
export type Verdict =
  | { readonly kind: 'pass'; readonly reply: ModelReply }
  /** Kept, and the model is asked for more. */
  | { readonly kind: 'go_on'; readonly reply: ModelReply }
  /** As if it had not been given: the model is asked again. */
  | { readonly kind: 'again' }
  /** Kept, but none of its tool calls is run: each is answered with this error. */
  | { readonly kind: 'refuse_calls'; readonly reply: ModelReply; readonly why: string }
  | { readonly kind: 'end'; readonly reply: ModelReply; readonly result: RunResult };

export interface ToolOutcome {
  readonly status: 'ok' | 'error';
  readonly text: string;
}

/**
 * A place to step in at each stage of a run: beforeRun → (beforeModel → wrapModel → afterModel → wrapTool)* → afterRun.
 * Every hook of a stage runs in the chain's order; of the wrapping ones the first is the outermost.
 */
export interface Middleware {
  beforeRun?(run: Run): void | Promise<void>;
  beforeModel?(run: Run, draft: Draft): Draft | Promise<Draft>;
  wrapModel?(run: Run, draft: Draft, next: (draft: Draft) => Promise<ModelReply>): Promise<ModelReply>;
  afterModel?(run: Run, reply: ModelReply): Verdict | Promise<Verdict>;
  wrapTool?(run: Run, call: ToolCall, next: (call: ToolCall) => Promise<ToolOutcome>): Promise<ToolOutcome>;
  afterRun?(run: Run, result: RunResult): RunResult | Promise<RunResult>;
}

/** What middlewares get from the harness that makes them. */
export interface MiddlewareParts {
  readonly guardrails?: Guardrails | undefined;
  readonly skills?: SkillShelf | undefined;
  readonly memory?: MemoryAccess | undefined;
  /** Values by the names that skills call them by. */
  readonly skillSecrets?: Readonly<Record<string, string>> | undefined;
}

/** A kind of middleware; `create` makes the one of a run. */
export interface MiddlewareKind {
  readonly name: string;
  create(parts?: MiddlewareParts): Middleware;
}
