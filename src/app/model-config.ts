import type { AssistantEntry } from '../config/schema/assistant.ts';
import type { ModelEntry } from '../config/schema/model.ts';
import type { Assistant, ModelConfig } from '../harness/port.ts';
import type { Subagents } from '../harness/subagents/port.ts';
import { withoutGroups } from '../harness/tools/groups.ts';

/** A model of the configuration as the harness takes it. */
export function modelConfig(entry: ModelEntry): ModelConfig {
  return {
    name: entry.name,
    baseUrl: entry.base_url,
    apiKey: entry.api_key,
    model: entry.model,
    contextWindow: entry.context_window,
    ...(entry.max_output_tokens === undefined ? {} : { maxOutputTokens: entry.max_output_tokens }),
    ...(entry.temperature === undefined ? {} : { temperature: entry.temperature }),
    // The demo model shows that images arrive.
    vision: entry.vision || entry.demo,
    replayReasoning: entry.replay_reasoning,
    idleTimeoutMs: entry.idle_timeout_seconds * 1000,
    totalTimeoutMs: entry.total_timeout_seconds * 1000,
    demo: entry.demo,
  };
}

/** An assistant of the configuration as the harness takes it; null when its model is not among `models`. */
export function assistantOf(
  id: string,
  entry: AssistantEntry,
  models: readonly ModelConfig[],
  subagents: Subagents,
  soul = entry.soul,
): Assistant | null {
  const find = (name: string): ModelConfig | undefined => models.find((model) => model.name === name);
  const model = entry.model === undefined ? models[0] : find(entry.model);
  if (model === undefined) return null;
  const thinking =
    ({ reasoning_effort: effort }: AssistantEntry) =>
    (one: ModelConfig) =>
      effort === undefined ? one : { ...one, reasoningEffort: effort };
  return {
    id,
    soul,
    model: thinking(entry)(model),
    fallbacks: entry.fallbacks.flatMap((name) => find(name) ?? []).map(thinking(entry)),
    tools: withoutGroups(entry.tools),
    skills: entry.skills,
    sandbox: entry.sandbox,
    proposals: entry.proposals,
    mcpServers: entry.mcp_servers,
    agents: entry.agents,
    maxDescribedTools: entry.max_described_tools,
    maxSteps: entry.max_steps,
    ...(entry.max_run_tokens === undefined ? {} : { maxRunTokens: entry.max_run_tokens }),
    ...(entry.subagents ? { subagents } : {}),
  };
}
