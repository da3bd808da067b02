import type { SubagentsEntry } from '../config/schema/subagents.ts';
import type { ModelConfig } from '../harness/port.ts';
import type { Subagents, SubagentType } from '../harness/subagents/port.ts';
import { withoutGroups } from '../harness/tools/groups.ts';

/** The sub-agents of the configuration as the harness takes them; a type whose model is not there has its parent's. */
export function subagentsOf(entry: SubagentsEntry, models: readonly ModelConfig[]): Subagents {
  const types = Object.entries(entry.types).map(([name, type]): SubagentType => {
    const model = models.find((candidate) => candidate.name === type.model);
    return {
      name,
      description: type.description,
      soul: type.soul,
      tools: withoutGroups(type.tools),
      ...(model === undefined ? {} : { model }),
      maxSteps: type.max_steps,
      maxRunTokens: type.max_run_tokens,
      timeoutMs: type.timeout_seconds * 1_000,
    };
  });
  return { atOnce: entry.at_once, perRun: entry.per_run, types };
}
