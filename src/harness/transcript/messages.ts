/** The chat-completions messages that requests are made of, as strictly as the strictest endpoints take them. */
export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  /** Null only beside tool calls: some endpoints refuse an empty string there, others a missing field. */
  readonly content: string | null;
  readonly tool_calls?: WireCall[];
  readonly reasoning_content?: string;
}

export interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}
