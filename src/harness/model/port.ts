import type { ToolCall } from '../log.ts';
import type { ModelConfig } from '../port.ts';
import type { ChatMessage } from '../transcript/messages.ts';

/** A tool as a model is told of it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type `object`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One request to one model. */
export interface ModelRequest {
  readonly model: ModelConfig;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDescription[];
  readonly signal: AbortSignal;
}

/** What the user may see of an answer while it comes in. */
export interface TextSink {
  append(text: string): void;
  /** What came so far was no answer (a model's thoughts); this is. */
  replace(text: string): void;
}

export interface ModelReply {
  /** {@link ModelConfig.name} of the model that answered. */
  readonly model: string;
  /** For people, without thoughts. */
  readonly text: string;
  /** Thoughts; empty when there are none. */
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  /** The endpoint refused the request's images; it has answered the text alone. */
  readonly blind?: true;
  readonly finish: FinishReason;
  /** As the endpoint counted; absent when it did not say. */
  readonly usage?: ModelUsage;
}

/** `unknown`: the endpoint never says why it ends. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'unknown';

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}
