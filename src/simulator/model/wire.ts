/** The chat-completions request as far as the simulator reads it. Source: https://platform.openai.com/docs/api-reference/chat */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

export interface ChatMessage {
  readonly role: string;
  /** The text parts, joined; null where the request has null or nothing. */
  readonly text: string | null;
  readonly content: unknown;
  readonly toolCalls: readonly WireToolCall[];
  readonly toolCallId?: string;
}

export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ToolDefinition {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const list = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** Reads a request's body; what is malformed reads as absent, and the strict mode says so. */
export function readRequest(body: Record<string, unknown>): ChatRequest {
  return {
    model: String(body.model ?? ''),
    messages: list(body.messages).map(readMessage),
    tools: list(body.tools).map(readTool),
    stream: body.stream === true,
    includeUsage: isRecord(body.stream_options) && body.stream_options.include_usage === true,
  };
}

function readMessage(message: Record<string, unknown>): ChatMessage {
  const { role, content, tool_call_id: callId } = message;
  return {
    role: String(role ?? ''),
    text: textOf(content),
    content,
    toolCalls: list(message.tool_calls).map(readCall),
    ...(typeof callId === 'string' ? { toolCallId: callId } : {}),
  };
}

function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return list(content)
    .map((part) => (typeof part.text === 'string' ? part.text : ''))
    .join('');
}

function readCall(call: Record<string, unknown>): WireToolCall {
  const called = isRecord(call.function) ? call.function : {};
  return {
    id: String(call.id ?? ''),
    type: 'function',
    function: { name: String(called.name ?? ''), arguments: String(called.arguments ?? '') },
  };
}

function readTool(tool: Record<string, unknown>): ToolDefinition {
  const declared = isRecord(tool.function) ? tool.function : {};
  return { name: String(declared.name ?? ''), parameters: isRecord(declared.parameters) ? declared.parameters : {} };
}
