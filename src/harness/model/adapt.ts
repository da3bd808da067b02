import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Endpoint, Optional } from './endpoint.ts';
import type { ModelRequest } from './port.ts';
import type { ModelRefusal } from './refusal.ts';

/** The statuses with which endpoints refuse a parameter; OpenRouter says 404, Ollama 400, vLLM 400 or 422. */
const STATUSES = new Set([400, 404, 422, 501]);
const UNSUPPORTED = /support|unknown|unrecogni|unexpected|permitted|not allowed|extra|invalid|disabled|enable/i;

/** What in a refusal's words tells that this part was refused. In this order: the words on tools are the vaguest. */
const SIGNS: readonly (readonly [Optional, RegExp])[] = [
  ['stream_options', /stream_options|include_usage/i],
  ['max_tokens', /max_completion_tokens/i],
  ['temperature', /temperature/i],
  ['tools', /\btools\b|tool[ _-](?:use|choice|call(?:s|ing)\b)|function[ _-]call/i],
];

/**
 * Learns from a refusal which part of a request an endpoint does not take. True: the same request is worth sending
 * once more, without it.
 */
export function adapt(endpoint: Endpoint, request: ModelRequest, refusal: ModelRefusal): Optional | null {
  const { status, words } = refusal;
  if (status === undefined || !STATUSES.has(status) || !UNSUPPORTED.test(words)) return null;
  const refused = SIGNS.find(([part, sign]) => sign.test(words) && !endpoint.refuses.has(part) && sends(request, part));
  if (refused === undefined) return null;
  endpoint.refuses.add(refused[0]);
  return refused[0];
}

function sends(request: ModelRequest, part: Optional): boolean {
  if (part === 'tools') return request.tools.length > 0;
  if (part === 'max_tokens') return request.model.maxOutputTokens !== undefined;
  if (part === 'temperature') return request.model.temperature !== undefined;
  return true;
}

/** The request as this endpoint takes it. */
export function requestBody(endpoint: Endpoint, request: ModelRequest): ChatCompletionCreateParamsStreaming {
  const { model, messages, tools } = request;
  const takes = (part: Optional): boolean => !endpoint.refuses.has(part);
  return {
    model: model.model,
    messages: [...messages],
    stream: true,
    ...(takes('stream_options') ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length > 0 && takes('tools')
      ? {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            function: { name, description, parameters },
          })),
        }
      : {}),
    ...outputLimit(model.maxOutputTokens, takes('max_tokens')),
    ...(model.temperature !== undefined && takes('temperature') ? { temperature: model.temperature } : {}),
  };
}

/** OpenAI's reasoning models refuse the old name, most other endpoints do not know the new one. */
function outputLimit(limit: number | undefined, oldName: boolean): object {
  if (limit === undefined) return {};
  return oldName ? { max_tokens: limit } : { max_completion_tokens: limit };
}
