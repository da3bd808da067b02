import type { Completion, CompletionReply } from '../port.ts';
import { estimateTokens } from '../transcript/tokens.ts';
import type { ModelService } from './service.ts';

/** Asks the first of the models that answers, without tools and without anything shown to anybody. */
export async function complete(
  models: ModelService,
  { models: asked, system, user, maxOutputTokens, signal }: Completion,
): Promise<CompletionReply> {
  const reply = await models.call({
    models: asked.map((model) => ({ ...model, maxOutputTokens })),
    messages: () => [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    tools: [],
    signal,
    sink: { append: () => {}, replace: () => {} },
    onModel: () => {},
    newCallId: (position) => `call_beside_${position}`,
  });
  const { inputTokens = estimateTokens(system + user), outputTokens = estimateTokens(reply.text) } = reply.usage ?? {};
  return { text: reply.text, model: reply.model, inputTokens, outputTokens };
}
