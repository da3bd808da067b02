import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AntlerError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folder.ts';
import { KeyedQueue } from '../../base/keyed-queue.ts';
import { ownerDigest } from '../sandbox/folder/layout.ts';
import { FairLimiter } from '../subagents/limiter.ts';
import { defineTool, NO_TIMEOUT_MS, type Tool, type ToolContext, type ToolSource } from '../tools/port.ts';
import {
  allowing,
  decide,
  PERMISSIONS,
  readPermissions,
  refusing,
  useGrant,
  type Wanted,
  wantedBy,
} from './permission.ts';
import type { ExternalAgentConfig } from './port.ts';
import { AgentReport, oneLine } from './report.ts';
import { runSession } from './session.ts';
import { wantPermission } from './wanted.ts';

export const AGENT_PREFIX = 'agent_';
const MAX_PROMPT_CHARS = 50_000;
/** Each is a process, mostly a large one. */
const MAX_AT_ONCE = 8;
const MAX_AT_ONCE_FOR_ONE = 2;
const MIN_BETWEEN_PROGRESS_MS = 1_000;

export interface AgentSourceOptions {
  readonly agents: readonly ExternalAgentConfig[];
  /** Holds the agents' working folders, one an owner and agent. Absolute. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** Agents outside of Antler as tools, `agent_<name>`. */
export interface AgentSource extends ToolSource {
  /** Stops those at work. */
  close(): Promise<void>;
}

const input = z.object({
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(MAX_PROMPT_CHARS)
    .describe('All that it has to know: it sees nothing of this conversation.'),
});

/**
 * @example
 * const agents = createAgentSource({ agents: configs, folder: join(dataDir, 'agents'), clock });
 * const harness = createHarness({ log, clock, sources: [mcp, agents] });
 */
export function createAgentSource({ agents, folder, clock }: AgentSourceOptions): AgentSource {
  const limiter = new FairLimiter(MAX_AT_ONCE);
  const places = new KeyedQueue();
  const closing = new AbortController();
  const atWork = new Set<Promise<unknown>>();

  async function run(config: ExternalAgentConfig, prompt: string, context: ToolContext, stop: AbortSignal) {
    const signal = AbortSignal.any([stop, closing.signal]);
    const { owner, speaker } = context.run;
    const leave = await limiter.enter(speaker.id, MAX_AT_ONCE_FOR_ONE, signal).catch(() => {
      throw new AntlerError('cancelled', 'stopped');
    });
    try {
      const place = join(folder, ownerDigest(owner), config.name);
      // One at a time in a folder: they would change each other's files.
      return await places.run(place, async () => {
        makeFolder(place);
        return await askAgent(config, place, prompt, context, signal, clock);
      });
    } finally {
      leave();
    }
  }

  function toolOf(config: ExternalAgentConfig): Tool {
    return {
      ...defineTool({
        name: AGENT_PREFIX + config.name,
        description: `Hands a task to ${config.name}, an agent of its own with its own tools${config.description === '' ? '' : `: ${config.description}`}. It keeps a folder from call to call, but no memory; what it did comes back as text.`,
        input,
        trust: 'remote',
        forPeople: true,
        // Waiting for a turn is no work; start and prompt have times of their own.
        timeoutMs: NO_TIMEOUT_MS,
        run: ({ prompt }, context, signal) => {
          const work = run(config, prompt, context, signal);
          const done = work.catch(() => {}).finally(() => atWork.delete(done));
          atWork.add(done);
          return work;
        },
      }),
      origin: config.name,
    };
  }

  const tools = new Map(agents.map((config) => [config.name, toolOf(config)]));
  return {
    name: 'external agents',
    tools: async ({ agents: wanted = [] }) =>
      [...tools].flatMap(([name, tool]) => (wanted.includes('all') || wanted.includes(name) ? [tool] : [])),
    close: async () => {
      closing.abort();
      await Promise.all(atWork);
    },
  };
}

async function askAgent(
  config: ExternalAgentConfig,
  folder: string,
  prompt: string,
  context: ToolContext,
  signal: AbortSignal,
  clock: Pick<Clock, 'now'>,
): Promise<string> {
  const report = new AgentReport();
  const refused: string[] = [];
  const asking = new AbortController();
  let unanswered: Wanted | undefined;
  let shownAt = Number.NEGATIVE_INFINITY;
  const agent = AGENT_PREFIX + config.name;
  try {
    const stopReason = await runSession({
      config,
      folder,
      prompt,
      signal: AbortSignal.any([signal, asking.signal]),
      onUpdate: (update) => {
        const progress = report.add(update);
        const now = clock.now();
        if (progress === null || progress === '' || now - shownAt < MIN_BETWEEN_PROGRESS_MS) return;
        shownAt = now;
        context.progress(`${config.name}: ${progress}`);
      },
      onPermission: (request) => {
        const decision = decide(config.permissions, request);
        if (decision === 'allow') return allowing(request.options);
        const wanted = wantedBy(request);
        if (decision === 'ask') {
          const subject = { agent, key: wanted.key, whom: context.run.speaker.id, at: clock.now() };
          const rest = useGrant(readPermissions(context.state(PERMISSIONS)), subject);
          if (rest !== null) {
            context.keep(PERMISSIONS, rest);
            return allowing(request.options);
          }
          unanswered ??= wanted;
          asking.abort();
          return { outcome: { outcome: 'cancelled' } };
        }
        refused.push(wanted.what);
        return refusing(request.options);
      },
    });
    return written(report.text, stopReason, refused);
  } catch (thrown) {
    if (unanswered === undefined || signal.aborted) throw thrown;
    wantPermission(context.run, agent, unanswered);
    return `${report.text}\n\n[It has stopped: it may not do this without the person's permission: ${unanswered.what}]`.trim();
  }
}

function written(text: string, stopReason: string, refused: readonly string[]): string {
  const remarks = refused.slice(0, 10).map((what) => `[It was refused, as the admin wants it: ${oneLine(what)}]`);
  if (stopReason !== 'end_turn') remarks.push(`[It did not come to an end by itself: ${stopReason}]`);
  return [text === '' ? '(It said nothing.)' : text, ...remarks].join('\n');
}
