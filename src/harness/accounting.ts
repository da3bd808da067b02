import type { ModelReply, ModelUsage } from './model/port.ts';
import type { Tool } from './tools/port.ts';
import { requestTokens } from './transcript/build.ts';
import type { ChatMessage } from './transcript/messages.ts';
import { estimateTokens } from './transcript/tokens.ts';

const tokensOfTools = new WeakMap<Tool, number>();

/** What the descriptions of tools take. */
export function toolTokens(tools: readonly Tool[]): number {
  let total = 0;
  for (const tool of tools) {
    const known = tokensOfTools.get(tool);
    const tokens = known ?? estimateTokens(tool.name + tool.description + JSON.stringify(tool.parameters));
    if (known === undefined) tokensOfTools.set(tool, tokens);
    total += tokens;
  }
  return total;
}

/** For endpoints that do not count: budgets need some number. */
export function estimateUsage(messages: readonly ChatMessage[], reply: ModelReply): ModelUsage {
  const output = [reply.text, reply.reasoning, ...reply.toolCalls.map((call) => call.arguments)];
  const outputTokens = output.reduce((total, text) => total + estimateTokens(text), 0);
  return { inputTokens: requestTokens(messages), outputTokens, cachedTokens: 0 };
}
