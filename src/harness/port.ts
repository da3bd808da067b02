import type { Clock } from '../base/clock.ts';
import type { ErrorCode } from '../base/errors.ts';
import type { FileId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { Language, Sentence } from '../base/sentences.ts';
import type { Delegation } from './delegation/port.ts';
import type { DocumentConverter } from './documents/port.ts';
import type { Guardrails } from './guardrails/port.ts';
import type { FileInfo, LogEntry, Speaker, UserEntry } from './log.ts';
import type { MemoryAccess } from './memory/port.ts';
import type { Workspaces } from './sandbox/port.ts';
import type { Scheduler } from './schedules/port.ts';
import type { SkillShelf } from './skills/port.ts';
import type { Subagents } from './subagents/port.ts';
import type { ToolSource } from './tools/port.ts';

/** A model endpoint, ready to be called. */
export interface ModelConfig {
  readonly name: string;
  /** Any OpenAI-compatible endpoint, e.g. `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** In tokens. */
  readonly contextWindow: number;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** How much it thinks before it answers, as endpoints name it; `none`: not at all. Absent: the endpoint decides. */
  readonly reasoningEffort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';
  readonly vision: boolean;
  /** Replay `reasoning_content` with earlier assistant messages (DeepSeek and others insist on it). */
  readonly replayReasoning: boolean;
  /** No bytes for this long aborts the call. */
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
  /** The built-in demo model: its answers are labelled. */
  readonly demo: boolean;
}

/** An assistant as the harness needs it. */
export interface Assistant {
  readonly id: string;
  readonly soul: string;
  readonly model: ModelConfig;
  /** Tried in order when `model` fails before a word was shown. */
  readonly fallbacks: readonly ModelConfig[];
  /** Names of the tools it may use; `all` for every one. */
  readonly tools: readonly string[];
  /** Names of the MCP servers whose tools it has; `all` for every one. Absent: none. */
  readonly mcpServers?: readonly string[];
  /** Names of the external agents that it has as tools; `all` for every one. Absent: none. */
  readonly agents?: readonly string[];
  /** With more tools than this, those from outside are only named until the model looks for them. Absent: 40. */
  readonly maxDescribedTools?: number;
  readonly maxSteps: number;
  /** Tokens of one run, input and output together, its sub-agents' too. Absent: no limit. */
  readonly maxRunTokens?: number;
  /** Names of the skills that it has; `all` for every one. Absent: none. */
  readonly skills?: readonly string[];
  /** False: it runs no commands, although there is an engine. Absent: it does. */
  readonly sandbox?: boolean;
  /** May it propose changes of its soul and of custom skills? Absent: no. */
  readonly proposals?: boolean;
  /** Absent: it does everything itself. */
  readonly subagents?: Subagents;
}

/** What a run is told about its surroundings; no channel object, no bus. */
export interface RunContext {
  readonly runId: string;
  readonly threadId: string;
  /** Who the answer is for: the speaker of the last input. */
  readonly speaker: Speaker;
  /** The speaker's {@link PersonId}, whose memory the run may use. Absent: no memory. */
  readonly person?: string;
  /** Whose words the run follows besides, where that is a sub-agent's. */
  readonly others?: readonly Speaker[];
  /** To whom the run's files, memory and sandbox belong: the speaker in a private chat, the chat in a group. */
  readonly owner: string;
  readonly language: Language;
  /** The channel's name in the configuration. */
  readonly channel: string;
  /** The platform's chat id. */
  readonly chat: string;
  /** What people may do (`owner`, `admin`, …), by {@link Speaker.id}; who is not named has no role. */
  readonly roles?: Readonly<Record<string, string>>;
  /** IANA name, e.g. `Asia/Shanghai`. */
  readonly timeZone: string;
  readonly chatKind: 'dm' | 'group';
  readonly chatTitle?: string;
  /** The platform's own name for people, e.g. `Telegram`. */
  readonly platform: string;
  /** What the task is called that the run works on, apart from the chat. Absent: it answers in the chat. */
  readonly task?: string;
  /** Where it can hand work on. Absent: nowhere. */
  readonly delegation?: Delegation;
  /** Where it can have things done later. Absent: nowhere. */
  readonly schedules?: Scheduler;
}

export interface RunRequest {
  readonly assistant: Assistant;
  readonly context: RunContext;
  /** How to answer, in the place of the rules for chats; for a run whose answer no person reads. */
  readonly rules?: string;
  /** What the thread's log holds before this turn. */
  readonly history: readonly LogEntry[];
  /** This turn. */
  readonly input: readonly UserEntry[];
  /** What a run of this turn has done that was cut off: it is gone on with behind its last result. */
  readonly resumed?: readonly LogEntry[];
  readonly signal: AbortSignal;
  /**
   * What was said to the running turn since the last call, to be heard before the next model step; whoever hands it in
   * keeps it in the log. Asked at every step, so it must be cheap.
   */
  readonly steered?: () => Promise<readonly UserEntry[]>;
  readonly files: FileAccess;
}

/** The files of a run's conversation. */
export interface FileAccess {
  /** @throws AntlerError `not_found` for one that is not there, no more, or in another conversation. */
  read(id: FileId, signal: AbortSignal): Promise<Uint8Array>;
  /** Keeps a file that the run has made; {@link HarnessEvent} `artifact` presents it. */
  add(file: Omit<FileInfo, 'id' | 'bytes'>, content: Uint8Array): Promise<FileInfo>;
}

/**
 * What a run emits. Only `text`, `notice`, `progress` and `artifact` may ever reach a chat; everything else is for the log, the
 * console and metrics.
 */
export type HarnessEvent =
  /** More of the answer. `replace`: forget what was shown of this answer, it starts again. */
  | { readonly type: 'text'; readonly mode: 'append' | 'replace'; readonly text: string }
  /** A sentence of the bot itself, apart from the answer. */
  | {
      readonly type: 'notice';
      readonly sentence: Sentence;
      readonly values?: Readonly<Record<string, string | number>>;
    }
  /** What the run is doing, shown below the growing answer until there is more of it; empty: nothing worth saying. */
  | { readonly type: 'progress'; readonly text: string }
  /** A file for the person, to be shown after the answer. */
  | { readonly type: 'artifact'; readonly file: FileInfo }
  /** What the conversation is called from now on, in lists of conversations. */
  | { readonly type: 'title'; readonly text: string }
  /** An entry is complete and belongs into the log. */
  | { readonly type: 'entry'; readonly entry: LogEntry }
  | { readonly type: 'tool_start'; readonly callId: string; readonly name: string }
  | {
      readonly type: 'tool_end';
      readonly callId: string;
      readonly name: string;
      readonly status: 'ok' | 'error';
      readonly ms: number;
    }
  | { readonly type: 'model_start'; readonly model: string; readonly step: number }
  | {
      readonly type: 'usage';
      readonly model: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cachedTokens: number;
    };

/** How a run ended; the generator's return value. */
export type RunResult =
  | { readonly status: 'completed' | 'step_limit'; readonly text: string }
  /** A tool asked the user something; `text` is the question, and the answer comes as the next turn. */
  | { readonly status: 'asked'; readonly text: string; readonly choice?: Choice }
  | { readonly status: 'cancelled'; readonly text: string }
  /** `text`: what had been shown; `sentence`: what to tell the person. `retryable`: nothing was shown or done yet. */
  | {
      readonly status: 'failed';
      readonly text: string;
      readonly code: ErrorCode;
      readonly sentence: Sentence;
      readonly retryable: boolean;
      readonly retryAfterMs?: number;
      /** For the admin; no secret, no message body. */
      readonly detail: string;
    };

/** What a question offers to choose from, for platforms that have buttons; `text` numbers the same options. */
export interface Choice {
  /** A press comes back as {@link UserEntry.pressed}. */
  readonly question: string;
  readonly options: readonly string[];
}

export interface Harness {
  /** Runs one turn. Never throws; every way of ending is a {@link RunResult}. */
  run(request: RunRequest): AsyncGenerator<HarnessEvent, RunResult, void>;
  /** One short call that proves the endpoint, key and model; for doctor and the set-up page. */
  probeModel(model: ModelConfig, signal?: AbortSignal): Promise<ModelProbe>;
}

/** A question to a model beside all conversations. */
export interface Completion {
  /** Tried in order. */
  readonly models: readonly ModelConfig[];
  readonly system: string;
  readonly user: string;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
}

export interface CompletionReply {
  readonly text: string;
  /** Name of the model that answered. */
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Asks models questions that belong to no run, over the same endpoints and under the same limits as runs. */
export interface Completer {
  /** @throws AntlerError of the last model asked. */
  complete(completion: Completion): Promise<CompletionReply>;
}

export type ModelProbe =
  | { readonly ok: true; readonly ms: number }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      /** The fact alone, in English, e.g. `the key was refused (HTTP 401)`. */
      readonly reason: string;
      /** What is wrong and what to do about the configuration, in English, without the key. */
      readonly problem: string;
    };

export interface HarnessOptions {
  readonly log: Logger;
  readonly clock: Clock;
  /** The process's one reader of documents. Default: one of its own. */
  readonly converter?: DocumentConverter;
  /** Absent: no tool has a place for files. */
  readonly workspaces?: Workspaces;
  /** Tools besides those that are built in, which win where names are equal. */
  readonly sources?: readonly ToolSource[];
  /** Who may use which tools. Absent: everybody all that the assistant has. */
  readonly guardrails?: Guardrails;
  /** What is remembered over conversations. Absent: nothing. */
  readonly memory?: MemoryAccess;
  /** Absent: there are no skills. */
  readonly skills?: SkillShelf;
  /** What skills' commands get in their environment, by the names that skills call it by. */
  readonly skillSecrets?: Readonly<Record<string, string>>;
}
