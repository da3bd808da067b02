import { join, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../config/schema/config.ts';
import { type AgentSource, createAgentSource } from '../harness/acp/source.ts';

/** The external agents of a configuration, each with its folders below the data's. */
export function agentSourceOf(config: Pick<Config, 'agents' | 'data_dir'>, clock: Clock): AgentSource {
  const agents = Object.entries(config.agents).map(([name, entry]) => ({
    name,
    command: entry.command,
    args: entry.args,
    env: entry.env,
    description: entry.description,
    permissions: entry.permissions,
    startTimeoutMs: entry.start_seconds * 1_000,
    promptTimeoutMs: entry.prompt_seconds * 1_000,
  }));
  return createAgentSource({ agents, folder: join(resolve(config.data_dir), 'agents'), clock });
}
