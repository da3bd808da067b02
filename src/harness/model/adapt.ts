import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { type ChatMessage, imageCount, type UserMessage } from '../transcript/messages.ts';
import type { Endpoint, Optional } from './endpoint.ts';
import type { ModelRequest } from './port.ts';
import type { ModelRefusal } from './refusal.ts';

/** The statuses with which endpoints refuse a parameter; OpenRouter says 404, Ollama 400, vLLM 400 or 422. */
const STATUSES = new Set([400, 404, 422, 501]);
const UNSUPPORTED = /support|unknown|unrecogni|unexpected|permitted|not allowed|extra|invalid|disabled|enable/i;

/** What in a refusal's words tells that this part was refused. In this order: the words on tools are the vaguest. */
const SIGNS: readonly (readonly [Exclude<Optional, 'images'>, RegExp])[] = [
  ['stream_options', /stream_options|include_usage/i],
  ['max_tokens', /max_completion_tokens/i],
  ['temperature', /temperature/i],
  ['reasoning_effort', /reasoning[ _.-]?effort|\breasoning\b.{0,40}support|thinking/i],
  ['tools', /\btools\b|tool[ _-](?:use|choice|call(?:s|ing)\b)|function[ _-]call/i],
];

/** Words about images, and those of endpoints which only know text as content. */
const ABOUT_IMAGES = /image|vision|multi-?modal|content\b.{0,60}\bstring/i;
/** It takes no images at all; otherwise it is this one that it does not take. */
const TAKES_NONE = /support|modal|variant|string|not allowed|unknown|enable/i;
/** The provider's judgement on what an image shows is no reason to go on without it. */
const JUDGEMENT = /filter|policy|safety|moderation|sensitive|inspection/i;

/**
 * Did an endpoint refuse a request for its images? True: the text alone is worth sending. What it can never take is
 * learnt.
 */
export function refusesImages(
  endpoint: Endpoint,
  request: ModelRequest,
  { status, words, code }: ModelRefusal,
): boolean {
  if (status === undefined || !STATUSES.has(status) || !hasImages(request)) return false;
  if (!ABOUT_IMAGES.test(words) || JUDGEMENT.test(code)) return false;
  if (TAKES_NONE.test(words)) endpoint.refuses.add('images');
  return true;
}

export const hasImages = ({ messages }: ModelRequest): boolean => messages.some((message) => imageCount(message) > 0);

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

function sends(request: ModelRequest, part: Exclude<Optional, 'images'>): boolean {
  if (part === 'tools') return request.tools.length > 0;
  if (part === 'max_tokens') return request.model.maxOutputTokens !== undefined;
  if (part === 'temperature') return request.model.temperature !== undefined;
  if (part === 'reasoning_effort') return request.model.reasoningEffort !== undefined;
  return true;
}

/** The request as this endpoint takes it; `blind`: without its images. */
export function requestBody(
  endpoint: Endpoint,
  request: ModelRequest,
  blind: boolean,
): ChatCompletionCreateParamsStreaming {
  const { model, tools } = request;
  const messages = blind ? request.messages.map(withoutImages) : request.messages;
  const takes = (part: Optional): boolean => !endpoint.refuses.has(part);
  return {
    model: model.model,
    messages: messages.map(asSent),
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
    ...(model.reasoningEffort !== undefined && takes('reasoning_effort')
      ? { reasoning_effort: model.reasoningEffort }
      : {}),
    ...(model.temperature !== undefined && takes('temperature') ? { temperature: model.temperature } : {}),
  };
}

const IMAGE_LEFT_OUT = '(There was an image here, which you cannot see.)';

function withoutImages(message: ChatMessage): ChatMessage {
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  const texts = message.content.map((part) => (part.type === 'text' ? part.text : IMAGE_LEFT_OUT));
  return { role: 'user', content: texts.join('\n\n') };
}

/** The SDK's types do not take read-only lists. */
const asSent = (message: ChatMessage): ChatCompletionMessageParam =>
  message.role === 'user' && typeof message.content !== 'string'
    ? { role: 'user', content: [...message.content] }
    : (message as Exclude<ChatMessage, UserMessage> | { role: 'user'; content: string });

/** OpenAI's reasoning models refuse the old name, most other endpoints do not know the new one. */
function outputLimit(limit: number | undefined, oldName: boolean): object {
  if (limit === undefined) return {};
  return oldName ? { max_tokens: limit } : { max_completion_tokens: limit };
}
