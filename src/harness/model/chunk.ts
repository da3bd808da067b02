import type { CallDelta } from './calls.ts';
import { asArray, asCount, asRecord, asText, type Json } from './json.ts';
import type { FinishReason, ModelUsage } from './port.ts';
import { ModelRefusal } from './refusal.ts';

const MAX_EXTRA_CHARS = 64_000;

/** What one piece of an answer says, whatever dialect it is written in. */
export interface Chunk {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly CallDelta[];
  readonly finish?: FinishReason;
  readonly usage?: ModelUsage;
  /** The endpoint speaks of usage alone, which it does only at the end. */
  readonly closing: boolean;
}

/**
 * Reads a chunk of a stream, or a whole answer that came although a stream was asked for.
 * @throws ModelRefusal when it is an error: endpoints that have already answered 200 send errors this way.
 */
export function readChunk(json: unknown, event = ''): Chunk {
  const chunk = asRecord(json);
  const choices = asArray(chunk.choices);
  if (event === 'error' || isError(chunk, choices)) throw ModelRefusal.fromBody(json);

  const choice = asRecord(choices[0]);
  const message = asRecord(choice.delta ?? choice.message);
  const content = readContent(message.content);
  const usage = readUsage(chunk.usage);
  const finish = readFinish(choice.finish_reason);
  return {
    text: content.text + (asText(message.refusal) ?? ''),
    reasoning: content.thoughts + (asText(message.reasoning_content) ?? asText(message.reasoning) ?? ''),
    calls: asArray(message.tool_calls).map(readCall),
    ...(finish === undefined ? {} : { finish }),
    ...(usage === undefined ? {} : { usage }),
    closing: usage !== undefined && choices.length === 0,
  };
}

function isError(chunk: Json, choices: readonly unknown[]): boolean {
  if (chunk.error !== undefined && chunk.error !== null && chunk.error !== false) return true;
  // vLLM, FastAPI and several gateways write errors without an `error` field.
  return choices.length === 0 && ['message', 'msg', 'detail', 'error_msg'].some((name) => asText(chunk[name]));
}

/** Text, or parts; Mistral's reasoning models send their thoughts as parts of the content. */
function readContent(content: unknown): { readonly text: string; readonly thoughts: string } {
  if (typeof content === 'string') return { text: content, thoughts: '' };
  let text = '';
  let thoughts = '';
  for (const item of asArray(content)) {
    const part = asRecord(item);
    if (part.type === 'thinking') thoughts += readContent(part.thinking).text;
    else text += asText(part.text) ?? '';
  }
  return { text, thoughts };
}

function readCall(value: unknown): CallDelta {
  const delta = asRecord(value);
  const called = asRecord(delta.function);
  const written = called.arguments;
  return {
    index: typeof delta.index === 'number' ? delta.index : undefined,
    id: asText(delta.id)?.trim() || undefined,
    name: asText(called.name),
    arguments: typeof written === 'object' && written !== null ? JSON.stringify(written) : asText(written),
    extra: readExtra(delta.extra_content),
  };
}

/** Gemini refuses a call in the history that has lost its `extra_content.google.thought_signature`. */
function readExtra(value: unknown): Json | undefined {
  const isKept = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isKept && JSON.stringify(value).length <= MAX_EXTRA_CHARS ? asRecord(value) : undefined;
}

function readFinish(reason: unknown): FinishReason | undefined {
  const text = asText(reason)?.toLowerCase();
  switch (text) {
    case undefined:
      return undefined;
    case 'length':
    case 'max_tokens':
      return 'length';
    case 'tool_calls':
    case 'function_call':
    case 'tool_use':
      return 'tool_calls';
    case 'content_filter':
    case 'refusal':
    case 'safety':
    case 'sensitive':
    case 'blocklist':
    case 'prohibited_content':
    case 'spii':
    case 'recitation':
      return 'content_filter';
    default:
      return 'stop';
  }
}

function readUsage(value: unknown): ModelUsage | undefined {
  const usage = asRecord(value);
  const inputTokens = asCount(usage.prompt_tokens) ?? asCount(usage.input_tokens);
  const outputTokens = asCount(usage.completion_tokens) ?? asCount(usage.output_tokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cached = asCount(asRecord(usage.prompt_tokens_details).cached_tokens) ?? asCount(usage.prompt_cache_hit_tokens);
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, cachedTokens: cached ?? 0 };
}
