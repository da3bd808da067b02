import { silentLogger } from '../../base/logger.ts';
import { Answer } from '../answer.ts';
import type { LogEntry } from '../log.ts';
import type { Draft, Run } from '../middleware/port.ts';
import type { ModelReply } from '../model/port.ts';
import type { HarnessEvent, ModelConfig, RunContext } from '../port.ts';
import { noWorkspaces } from '../sandbox/none.ts';
import type { ToolContext } from '../tools/port.ts';
import { assistantWith, impatientClock, noFiles, runContext, userSays } from './run.ts';

export const someModel: ModelConfig = {
  name: 'main',
  baseUrl: 'http://127.0.0.1:9/v1',
  apiKey: '',
  model: 'test-model',
  contextWindow: 32_000,
  vision: false,
  replayReasoning: false,
  idleTimeoutMs: 1000,
  totalTimeoutMs: 1000,
  demo: false,
};

/** A run for a middleware on its own, which keeps what it was told. */
export interface FakeRun extends Run {
  step: number;
  readonly events: HarnessEvent[];
  readonly notes: string[];
}

export function fakeRun(context: Partial<RunContext> = {}, signal = new AbortController().signal): FakeRun {
  const events: HarnessEvent[] = [];
  const notes: string[] = [];
  const log: LogEntry[] = [userSays('Hi')];
  const emit = (event: HarnessEvent): void => {
    events.push(event);
  };
  return {
    request: {
      assistant: assistantWith(someModel),
      context: { ...runContext, ...context },
      history: [],
      input: [userSays('Hi')],
      signal,
      files: noFiles,
    },
    get turnId() {
      return this.request.input[0]?.id ?? this.request.context.runId;
    },
    clock: { ...impatientClock(), now: () => Date.UTC(2026, 2, 1, 6, 5) },
    logger: silentLogger,
    log,
    turnStart: 0,
    answer: new Answer(emit),
    step: 1,
    spent: 0,
    closing: null,
    question: null,
    commandEnv: {},
    note: (text) => notes.push(text),
    state: (key) => {
      const entry = log.findLast((candidate) => candidate.kind === 'state' && candidate.key === key);
      return entry?.kind === 'state' ? entry.value : undefined;
    },
    keep: (key, value) => void log.push({ kind: 'state', id: `s${log.length}`, at: 0, key, value }),
    record: (entry) => void log.push(entry),
    stamp: () => ({ id: `e${log.length}`, at: 0 }),
    workspace: () => noWorkspaces.open({ owner: '', assistantId: '' }, assistantWith(someModel)),
    complete: async () => '',
    emit,
    events,
    notes,
  };
}

/** What a tool on its own is told of its run. */
export const toolContext = (more: Partial<ToolContext> = {}): ToolContext => ({
  run: runContext,
  clock: { now: () => Date.UTC(2026, 2, 1, 6, 5), sleep: async () => {} },
  log: [],
  files: noFiles,
  workspace: () => noWorkspaces.open({ owner: '', assistantId: '' }, assistantWith(someModel)),
  commandEnv: {},
  present: () => {},
  view: () => {},
  progress: () => {},
  turnId: 'm1',
  idempotencyKey: 'k',
  state: () => undefined,
  keep: () => {},
  spend: () => {},
  ...more,
});

export const draftWith = (more: Partial<Draft> = {}): Draft => ({
  system: 'You are a bot.',
  render: (entry) => entry.text,
  context: '',
  notes: [],
  tools: [],
  ...more,
});

export const replyWith = (more: Partial<ModelReply> = {}): ModelReply => ({
  model: 'main',
  text: '',
  reasoning: '',
  toolCalls: [],
  finish: 'stop',
  ...more,
});
