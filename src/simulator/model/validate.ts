import { type ChatMessage, type ChatRequest, isRecord, type ToolDefinition } from './wire.ts';

/**
 * What the strictest endpoints refuse a request for. Each rule is one that some provider enforces: pairing of tool calls
 * and results (OpenAI), one system message in front, JSON objects as arguments, no empty texts, no half characters.
 * @returns what is wrong, or undefined.
 */
export function problemOf(request: ChatRequest): string | undefined {
  const { messages, tools } = request;
  if (request.model === '') return 'you must provide a model parameter';
  if (messages.length === 0) return "'messages' must contain at least one message";
  return (
    messages.map(problemOfMessage).find((problem) => problem !== undefined) ??
    problemOfPairing(messages) ??
    tools.map(problemOfTool).find((problem) => problem !== undefined)
  );
}

function problemOfMessage(message: ChatMessage, index: number): string | undefined {
  const { role, text, content, toolCalls } = message;
  const at = `messages[${index}]`;
  if (!['system', 'user', 'assistant', 'tool'].includes(role)) return `${at}: unknown role '${role}'`;
  if (role === 'system' && index > 0) return `${at}: system message must be at the beginning`;
  if (text === null && !(role === 'assistant' && toolCalls.length > 0)) return `${at}: content must not be null`;
  if (text !== null && text.trim() === '' && role !== 'tool') return `${at}: text content must be non-empty`;
  if (Array.isArray(content) && !content.some((part) => isRecord(part) && part.type === 'text'))
    return `${at}: text is not set`;
  if (text !== null && !text.isWellFormed()) return `${at}: invalid unicode (lone surrogate)`;
  const bad = toolCalls.find((call) => !isJsonObject(call.function.arguments));
  if (bad !== undefined) return `${at}: arguments of tool call ${bad.id} must be a JSON object`;
  return undefined;
}

function isJsonObject(source: string): boolean {
  try {
    return isRecord(JSON.parse(source));
  } catch {
    return false;
  }
}

function problemOfPairing(messages: readonly ChatMessage[]): string | undefined {
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const { role, toolCalls, toolCallId = '' } of messages) {
    if (role === 'tool') {
      if (!open.delete(toolCallId))
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
      continue;
    }
    if (open.size > 0) return missingResponses(open);
    for (const { id } of toolCalls) {
      if (id === '' || seen.has(id)) return `tool call id '${id}' is empty or used twice`;
      seen.add(id);
    }
    open = new Set(toolCalls.map(({ id }) => id));
  }
  return open.size > 0 ? missingResponses(open) : undefined;
}

const missingResponses = (open: ReadonlySet<string>): string =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`;

function problemOfTool({ name, parameters }: ToolDefinition): string | undefined {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return `invalid function name '${name}'`;
  if (parameters.type !== 'object' || !isRecord(parameters.properties))
    return `invalid schema for function '${name}': type must be 'object' with properties`;
  return undefined;
}
