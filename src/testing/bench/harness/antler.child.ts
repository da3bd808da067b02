import { z } from 'zod';
import { systemClock } from '../../../base/clock.ts';
import { silentLogger } from '../../../base/logger.ts';
import type { LogEntry } from '../../../harness/log.ts';
import { type LoopParts, runTurn } from '../../../harness/loop.ts';
import { defaultChain } from '../../../harness/middleware/index.ts';
import { Endpoints } from '../../../harness/model/endpoint.ts';
import type { ModelReply } from '../../../harness/model/port.ts';
import { type ModelOrder, ModelService } from '../../../harness/model/service.ts';
import type { Assistant, RunRequest } from '../../../harness/port.ts';
import { noWorkspaces } from '../../../harness/sandbox/none.ts';
import { ann, noFiles, runContext } from '../../../harness/testing/run.ts';
import { builtInTools } from '../../../harness/tools/index.ts';
import { defineTool, type ToolSource } from '../../../harness/tools/port.ts';
import { registrySource } from '../../../harness/tools/sources.ts';
import { serveOrders } from './measured.ts';
import {
  ANSWER,
  argumentsOf,
  CONTEXT_WINDOW,
  conversation,
  type Message,
  OTHER_TOOLS,
  QUESTION,
  resultOf,
  STEPS,
  SYSTEM,
  TOOL,
} from './scenario.ts';

/** So many messages stand in the log behind its newest summary, as the middleware for that leaves it. */
const BEHIND_SUMMARY = 120;

/** Plays the model: everything but the wire is done for it, the request is built. */
class ScriptedModels extends ModelService {
  override async call(order: ModelOrder): Promise<ModelReply> {
    const [model] = order.models;
    if (model === undefined) throw new Error('no model');
    order.onModel(model);
    const messages = order.messages(model);
    const step = messages.filter((message) => message.role === 'tool' && message.tool_call_id.startsWith('s_')).length;
    const usage = { inputTokens: 100, outputTokens: 10, cachedTokens: 0 };
    const reply = { model: model.name, reasoning: '', usage };
    if (step === STEPS) {
      order.sink.append(ANSWER);
      return { ...reply, text: ANSWER, toolCalls: [], finish: 'stop' };
    }
    const call = { id: `s_${step}`, name: TOOL, arguments: argumentsOf(step) };
    return { ...reply, text: '', toolCalls: [call], finish: 'tool_calls' };
  }
}

const input = z.object({ what: z.string(), limit: z.number().int().max(50) });
const lookUp: ToolSource = {
  name: 'scripted',
  tools: async () =>
    [TOOL, ...Array.from({ length: OTHER_TOOLS }, (_, index) => `${TOOL}_${index}`)].map(
      (name) => tools.get(name) ?? newTool(name),
    ),
};
const tools = new Map<string, ReturnType<typeof newTool>>();
function newTool(name: string) {
  const tool = defineTool({
    name,
    description: 'Looks something up in the records of the company.',
    input,
    trust: 'local',
    run: ({ what }) => resultOf(what),
  });
  tools.set(name, tool);
  return tool;
}

const parts: LoopParts = {
  reserved: new Set(),
  models: new ScriptedModels({
    endpoints: new Endpoints(systemClock),
    clock: systemClock,
    log: silentLogger,
    random: Math.random,
  }),
  tools: [registrySource('built in', builtInTools(), noWorkspaces), lookUp],
  workspaces: noWorkspaces,
  newChain: () => defaultChain({ guardrails: { rules: [{ effect: 'deny', tools: ['shell'], roles: ['guest'] }] } }),
  clock: systemClock,
  log: silentLogger,
};

const assistant: Assistant = {
  id: 'lead',
  soul: SYSTEM,
  model: {
    name: 'main',
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: '',
    model: 'scripted',
    contextWindow: CONTEXT_WINDOW,
    vision: true,
    replayReasoning: false,
    idleTimeoutMs: 1000,
    totalTimeoutMs: 1000,
    demo: false,
  },
  fallbacks: [],
  tools: ['all'],
  maxSteps: STEPS + 5,
  maxRunTokens: 1_000_000,
};

function entryOf(message: Message, index: number): LogEntry {
  const stamp = { id: `h${index}`, at: index };
  switch (message.role) {
    case 'user':
      return { kind: 'user', ...stamp, text: message.text, speaker: ann };
    case 'assistant':
      return { kind: 'assistant', ...stamp, text: message.text, toolCalls: [], model: 'main' };
    case 'call':
      return {
        kind: 'assistant',
        ...stamp,
        text: '',
        toolCalls: [{ id: message.id, name: TOOL, arguments: message.text }],
        model: 'main',
      };
    case 'result':
      return { kind: 'tool', ...stamp, callId: message.id, name: TOOL, status: 'ok', text: message.text };
    default:
      return message satisfies never;
  }
}

function historyOf(count: number): LogEntry[] {
  const entries = conversation(count).map(entryOf);
  const last = entries.at(-BEHIND_SUMMARY - 1);
  if (count <= 200 || last === undefined) return entries;
  return [...entries, { kind: 'summary', id: 'sum', at: count, covers: last.id, text: ANSWER.repeat(20) }];
}

serveOrders((messages) => {
  const history = historyOf(messages);
  return async () => {
    const request: RunRequest = {
      assistant,
      context: runContext,
      history,
      input: [{ kind: 'user', id: 'q', at: messages, text: QUESTION, speaker: ann }],
      signal: new AbortController().signal,
      files: noFiles,
    };
    const run = runTurn(parts, request);
    let next = await run.next();
    while (next.done !== true) next = await run.next();
    if (next.value.status !== 'completed' || next.value.text !== ANSWER)
      throw new Error(`the run went wrong: ${JSON.stringify(next.value)}`);
  };
}, STEPS);
