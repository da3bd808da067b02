import type { UsageView } from '../admin/operator.ts';
import type { UsageLine } from '../budgets/port.ts';

/** What was used, as the API shows it. */
export const usageView = (lines: readonly UsageLine[]): UsageView => ({
  consumers: lines.map(({ scope, id, name, day, hour, now }) => ({
    scope,
    id,
    name,
    day: {
      starts_at: day.start,
      resets_at: day.end,
      used: day.inputTokens + day.outputTokens,
      limit: day.maxTokens,
      input_tokens: day.inputTokens,
      output_tokens: day.outputTokens,
      runs: day.runs,
      cost: day.cost,
    },
    hour: { starts_at: hour.start, resets_at: hour.end, used: hour.runs, limit: hour.maxRuns },
    now: now === null ? null : { used: now.running, limit: now.maxRunning },
  })),
});
