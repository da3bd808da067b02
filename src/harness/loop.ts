import type { Clock } from '../base/clock.ts';
import { AntlerError, asAntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { estimateUsage, toolTokens } from './accounting.ts';
import { Answer } from './answer.ts';
import { EventQueue } from './event-queue.ts';
import { Sight } from './images/sight.ts';
import type { AssistantEntry, FileInfo, LogEntry, ToolCall } from './log.ts';
import type { Chain } from './middleware/chain.ts';
import type { Completion, Draft, Run, ToolOutcome } from './middleware/port.ts';
import type { ModelReply } from './model/port.ts';
import type { ModelService } from './model/service.ts';
import { failure } from './outcome.ts';
import type { HarnessEvent, RunRequest, RunResult } from './port.ts';
import { PRESENTED, presentedIn } from './presented.ts';
import { systemPrompt } from './prompt.ts';
import type { Workspace, Workspaces } from './sandbox/port.ts';
import { idempotencyKeys } from './tools/call-key.ts';
import { runTool } from './tools/execute.ts';
import type { Tool, ToolContext, ToolSource } from './tools/port.ts';
import { collectTools } from './tools/sources.ts';
import { buildRequest } from './transcript/build.ts';
import { framed, renderDirect } from './transcript/frame.ts';
import type { ChatMessage } from './transcript/messages.ts';

/** Calls that are run of one reply. */
const MAX_CALLS_A_STEP = 16;
const RESUMED =
  'You were interrupted. The results above are of this turn: go on from there, and do not repeat what is done.';
const STOPPED = 'Error: stopped by the person before it ended; it may have taken effect in part.';
const TOO_MANY_CALLS = `Error: not run, at most ${MAX_CALLS_A_STEP} calls at once. Make this one in the next step.`;

export interface LoopParts {
  readonly models: ModelService;
  /** Earlier ones win where names are equal. */
  readonly tools: readonly ToolSource[];
  /** Names that no tool from outside may bear. */
  readonly reserved: ReadonlySet<string>;
  readonly workspaces: Workspaces;
  readonly newChain: () => Chain;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Runs one turn: model, tools, model, … until there is an answer. Never throws; every way of ending is a result. Leaving
 * the iteration early stops the run.
 */
export async function* runTurn(parts: LoopParts, asked: RunRequest): AsyncGenerator<HarnessEvent, RunResult, void> {
  const left = new AbortController();
  const request = { ...asked, signal: AbortSignal.any([asked.signal, left.signal]) };
  const events = new EventQueue<HarnessEvent>();
  const turn = new Turn(parts, request, (event) => events.push(event));
  const ended = turn.run().finally(() => events.close());
  try {
    yield* events;
    return await ended;
  } finally {
    left.abort();
    await ended;
  }
}

type StepEnd = { readonly kind: 'go_on' } | { readonly kind: 'end'; readonly result: RunResult };
/** How a call ended; `cut`: the run was stopped before it did. */
type Ended = ToolOutcome & { readonly cut?: true };
const GO_ON: StepEnd = { kind: 'go_on' };

class Turn implements Run {
  readonly request: RunRequest;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly turnStart: number;
  readonly answer: Answer;
  readonly emit: (event: HarnessEvent) => void;
  closing: Run['closing'] = null;
  question: Run['question'] = null;
  commandEnv: Run['commandEnv'] = {};
  readonly #parts: LoopParts;
  readonly #chain: Chain;
  #tools: readonly Tool[] = [];
  readonly #log: LogEntry[];
  /** What the log's newest state entries hold, by key: asked at every step, and the log may be long. */
  readonly #states = new Map<string, unknown>();
  readonly #sight: Sight;
  #notes: string[] = [];
  #workspace: Promise<Workspace> | undefined;
  #step = 0;
  #spent = 0;
  #acted = false;
  #stepRecorded = false;

  constructor(parts: LoopParts, request: RunRequest, emit: (event: HarnessEvent) => void) {
    this.#parts = parts;
    this.#chain = parts.newChain();
    this.#log = [...request.history, ...request.input, ...(request.resumed ?? [])];
    for (const entry of this.#log) if (entry.kind === 'state') this.#states.set(entry.key, entry.value);
    this.#sight = new Sight(request.files, request.assistant);
    this.request = request;
    this.clock = parts.clock;
    this.logger = parts.log.child({ run: request.context.runId, thread: request.context.threadId });
    this.turnStart = request.history.length;
    this.answer = new Answer(emit);
    this.emit = (event) => {
      if (event.type === 'usage') this.#spent += event.inputTokens + event.outputTokens;
      emit(event);
    };
  }

  get turnId(): string {
    return this.request.input[0]?.id ?? this.request.context.runId;
  }

  get log(): readonly LogEntry[] {
    return this.#log;
  }

  get step(): number {
    return this.#step;
  }

  get spent(): number {
    return this.#spent;
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  state(key: string): unknown {
    return this.#states.get(key);
  }

  keep(key: string, value: unknown): void {
    this.record({ kind: 'state', ...this.stamp(), key, value });
  }

  async complete({ system, user, maxOutputTokens }: Completion): Promise<string> {
    const { assistant, signal } = this.request;
    const messages: readonly ChatMessage[] = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
    const reply = await this.#parts.models.call({
      models: [assistant.model, ...assistant.fallbacks].map((one) => ({ ...one, maxOutputTokens })),
      messages: () => messages,
      tools: [],
      signal,
      sink: { append: () => {}, replace: () => {} },
      onModel: () => {},
      newCallId: (position) => `call_beside_${position}`,
    });
    this.emit({ type: 'usage', model: reply.model, ...(reply.usage ?? estimateUsage(messages, reply)) });
    return reply.text;
  }

  async run(): Promise<RunResult> {
    try {
      return await this.#chain.afterRun(this, await this.#steps());
    } catch (thrown) {
      const error = asAntlerError(thrown);
      this.logger.error({ err: thrown }, 'a run failed through a fault of ours');
      return failure(this.answer, error, this.#acted);
    }
  }

  async #steps(): Promise<RunResult> {
    const { assistant, context } = this.request;
    this.#tools = await collectTools(this.#parts.tools, assistant, context, this.logger, this.#parts.reserved);
    this.#resume();
    await this.#chain.beforeRun(this);
    if (this.question !== null) return this.#ask(this.question, assistant.model.name);
    for (;;) {
      let end: StepEnd;
      try {
        end = await this.#oneStep();
      } catch (thrown) {
        return this.#brokeOff(asAntlerError(thrown));
      }
      if (end.kind === 'end') return end.result;
    }
  }

  /** Takes up what a run has done that was cut off: what it said and showed is said and shown by this one. */
  #resume(): void {
    const { resumed = [] } = this.request;
    if (resumed.length === 0) return;
    this.#acted = true;
    for (const entry of resumed) {
      if (entry.kind !== 'assistant') continue;
      this.#step++;
      this.answer.beginStep();
      this.answer.append(entry.text);
    }
    for (const file of presentedIn(this.state(PRESENTED), this.turnId)) this.emit({ type: 'artifact', file });
    this.note(RESUMED);
  }

  async #oneStep(): Promise<StepEnd> {
    this.#throwIfStopped();
    if (this.#step > 0) await this.#listen();
    this.#step++;
    this.answer.beginStep();
    this.#stepRecorded = false;
    await this.#sight.look(this.#log, this.request.signal);
    const reply = await this.#askModel();
    const verdict = await this.#chain.afterModel(this, reply);
    switch (verdict.kind) {
      case 'again':
        return GO_ON;
      case 'go_on':
        this.#recordReply(verdict.reply);
        return GO_ON;
      case 'end':
        this.#recordReply(verdict.reply);
        return verdict;
      case 'refuse_calls': {
        const error: ToolOutcome = { status: 'error', text: `Error: ${verdict.why}` };
        this.#recordReply(verdict.reply);
        for (const call of verdict.reply.toolCalls) this.#recordResult(call, error);
        return GO_ON;
      }
      case 'pass':
        this.#recordReply(verdict.reply);
        if (verdict.reply.toolCalls.length === 0)
          return { kind: 'end', result: { status: 'completed', text: this.answer.shown } };
        await this.#callTools(verdict.reply.toolCalls);
        this.#throwIfStopped();
        if (this.question === null) return GO_ON;
        return { kind: 'end', result: this.#ask(this.question, verdict.reply.model) };
      default:
        return verdict satisfies never;
    }
  }

  /** Hears what people have said since the run began. */
  async #listen(): Promise<void> {
    this.#log.push(...((await this.request.steered?.()) ?? []));
  }

  async #askModel(): Promise<ModelReply> {
    const draft = await this.#chain.beforeModel(this, {
      system: systemPrompt(this.request.assistant, this.request.rules),
      render: renderDirect,
      context: '',
      notes: this.#notes,
      tools: this.#tools,
    });
    this.#notes = [];
    return this.#chain.model(this, draft, (final) => this.#callModel(final));
  }

  async #callModel(draft: Draft): Promise<ModelReply> {
    const { assistant, signal } = this.request;
    const note = draft.notes.length === 0 ? '' : framed('note', draft.notes.join('\n'));
    let sent: readonly ChatMessage[] = [];
    const reply = await this.#parts.models.call({
      models: [assistant.model, ...assistant.fallbacks],
      messages: (model, maxTokens) => {
        const { images, viewed, isBlind } = this.#sight;
        const seeing = isBlind ? { ...model, vision: false } : model;
        const source = { ...draft, log: this.#log, turnStart: this.turnStart, note, images, viewed, model: seeing };
        const limit = maxTokens === undefined ? {} : { maxTokens };
        sent = buildRequest({ ...source, ...limit, toolTokens: toolTokens(draft.tools) });
        return sent;
      },
      tools: draft.tools,
      signal,
      sink: this.answer,
      onModel: (model) => this.emit({ type: 'model_start', model: model.name, step: this.#step }),
      newCallId: (position) => `call_${this.#step}_${position}`,
    });
    if (reply.blind === true && this.#sight.goBlind(this.#log.slice(this.turnStart)))
      this.emit({ type: 'notice', sentence: 'images_unseen' });
    return reply.usage === undefined ? { ...reply, usage: estimateUsage(sent, reply) } : reply;
  }

  async #callTools(calls: readonly ToolCall[]): Promise<void> {
    const keys = idempotencyKeys(this.turnId, this.#log.slice(this.turnStart), calls);
    await Promise.all(
      calls.map(async (call, index) => {
        if (index >= MAX_CALLS_A_STEP) return this.#recordResult(call, { status: 'error', text: TOO_MANY_CALLS });
        const startedAt = this.clock.now();
        this.emit({ type: 'tool_start', callId: call.id, name: call.name });
        const outcome = await this.#callTool(call, keys[index] ?? '');
        const ms = this.clock.now() - startedAt;
        this.emit({ type: 'tool_end', callId: call.id, name: call.name, status: outcome.status, ms });
        // At once, so that it is not lost when the run is cut off while others of the step go on.
        this.#recordResult(call, outcome);
      }),
    );
  }

  async #callTool(call: ToolCall, key: string): Promise<Ended> {
    try {
      return await this.#chain.tool(this, call, async (current) => {
        this.#acted = true;
        return {
          status: 'ok',
          text: await runTool(this.#tools, current, this.#toolContext(key), this.request.signal),
        };
      });
    } catch (thrown) {
      if (this.request.signal.aborted) return { status: 'error', text: STOPPED, cut: true };
      throw thrown;
    }
  }

  #toolContext(idempotencyKey: string): ToolContext {
    return {
      run: this.request.context,
      clock: this.clock,
      log: this.#log,
      files: this.request.files,
      workspace: () => this.workspace(),
      commandEnv: this.commandEnv,
      present: (file) => this.#present(file),
      view: (image) => this.#sight.view(image),
      progress: (text) => this.emit({ type: 'progress', text }),
      turnId: this.turnId,
      idempotencyKey,
      state: (key) => this.state(key),
      keep: (key, value) => this.keep(key, value),
      spend: (usage) => this.emit(usage),
    };
  }

  #present(file: FileInfo): void {
    const turn = this.turnId;
    this.keep(PRESENTED, { turn, files: [...presentedIn(this.state(PRESENTED), turn), file] });
    this.emit({ type: 'artifact', file });
  }

  workspace(): Promise<Workspace> {
    const { assistant, context } = this.request;
    this.#workspace ??= this.#parts.workspaces.open({ owner: context.owner, assistantId: assistant.id }, assistant);
    return this.#workspace;
  }

  /** The question is shown and logged as something the bot said, so that the person's answer follows it. */
  #ask({ id, text: question, options }: NonNullable<Run['question']>, model: string): RunResult {
    const [first = ''] = question.split('\n\n');
    const alreadySaid = this.answer.step.includes(first);
    this.answer.beginStep();
    this.answer.append(alreadySaid ? question.slice(first.length).trimStart() : question);
    this.record({ ...this.#assistantEntry(model), text: question });
    const choice = options.length === 0 ? {} : { choice: { question: id, options } };
    return { status: 'asked', text: this.answer.shown, ...choice };
  }

  #brokeOff(error: AntlerError): RunResult {
    const { step } = this.answer;
    if (step.trim() !== '' && !this.#stepRecorded)
      this.record({ ...this.#assistantEntry(this.request.assistant.model.name), text: step, partial: true });
    if (this.request.signal.aborted) return { status: 'cancelled', text: this.answer.shown };
    if (error.code === 'internal') this.logger.error({ err: error }, 'a run failed through a fault of ours');
    return failure(this.answer, error, this.#acted);
  }

  #recordReply(reply: ModelReply): void {
    this.#stepRecorded = true;
    if (reply.text.trim() === '' && reply.toolCalls.length === 0) return;
    const { text, reasoning, toolCalls } = reply;
    const entry = { ...this.#assistantEntry(reply.model), text, toolCalls };
    this.record(reasoning === '' ? entry : { ...entry, reasoning });
  }

  #recordResult(call: ToolCall, outcome: Ended): void {
    this.record({ kind: 'tool', ...this.stamp(), callId: call.id, name: call.name, ...outcome });
  }

  #assistantEntry(model: string): AssistantEntry {
    return { kind: 'assistant', ...this.stamp(), text: '', toolCalls: [], model };
  }

  stamp(): { readonly id: string; readonly at: number } {
    const position = this.#log.length - this.turnStart;
    return { id: `${this.request.context.runId}:${position}`, at: this.clock.now() };
  }

  record(entry: LogEntry): void {
    this.#log.push(entry);
    if (entry.kind === 'state') this.#states.set(entry.key, entry.value);
    this.emit({ type: 'entry', entry });
  }

  #throwIfStopped(): void {
    if (this.request.signal.aborted) throw new AntlerError('cancelled', 'stopped');
  }
}
