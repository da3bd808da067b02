import { type AssistantMessage, type ChatMessage, type ContentPart, textOf } from './messages.ts';

/**
 * Checks messages as the strictest endpoints do and names every fault; an empty list means that any endpoint takes
 * them. For tests and stand-in models; requests are built valid, not checked.
 *
 * The rules come from many servers: OpenAI (each call answered at once, ids unique and at most 40 characters), vLLM and
 * Qwen (one system message, at the start), Mistral (roles alternate, no user message behind a tool's), DeepSeek
 * (arguments are objects), Anthropic and Google gateways (no empty text).
 */
export function validateRequest(messages: readonly ChatMessage[]): string[] {
  const faults: string[] = [];
  const seenIds = new Set<string>();
  const body = messages[0]?.role === 'system' ? messages.slice(1) : messages;
  const awaited: string[] = [];
  let before: ChatMessage['role'] = 'system';

  for (const [index, message] of body.entries()) {
    const fault = (text: string): void => {
      faults.push(`message ${index} (${message.role}): ${text}`);
    };
    for (const text of textsOf(message)) {
      if (!text.isWellFormed()) fault('half a surrogate pair');
      if (text.includes('\u0000')) fault('a NUL character');
    }
    if (awaited.length > 0 && message.role !== 'tool') fault(`calls without result: ${awaited.splice(0).join(', ')}`);
    switch (message.role) {
      case 'system':
        fault('only the first message may be the system message');
        break;
      case 'user':
        if (before !== 'system' && before !== 'assistant') fault(`follows ${before}`);
        if (isBlank(textOf(message.content))) fault('empty');
        if (typeof message.content !== 'string' && message.content.some(isBadImage)) fault('an image without data');
        break;
      case 'assistant':
        if (before !== 'user' && before !== 'tool') fault(`follows ${before}`);
        checkAssistant(message, seenIds, fault);
        awaited.push(...(message.tool_calls ?? []).map((call) => call.id));
        break;
      case 'tool':
        if (isBlank(message.content)) fault('empty');
        if (awaited.shift() !== message.tool_call_id) fault('does not answer the next open call');
        break;
      default:
        message satisfies never;
    }
    before = message.role;
  }

  if (awaited.length > 0) faults.push(`the request ends with open calls: ${awaited.join(', ')}`);
  if (before !== 'user' && before !== 'tool') faults.push(`the request ends with ${before}`);
  if (messages[0]?.role === 'system' && isBlank(messages[0].content)) faults.push('the system message is empty');
  return faults;
}

function checkAssistant(message: AssistantMessage, seenIds: Set<string>, fault: (text: string) => void): void {
  const calls = message.tool_calls;
  if (calls !== undefined && calls.length === 0) fault('an empty list of calls');
  if (message.content === null ? calls === undefined : isBlank(message.content)) fault('empty');
  for (const call of calls ?? []) {
    if (!/^[A-Za-z0-9_-]{1,40}$/.test(call.id)) fault(`bad call id ${JSON.stringify(call.id)}`);
    if (seenIds.has(call.id)) fault(`call id ${call.id} is used twice`);
    seenIds.add(call.id);
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(call.function.name)) fault('bad tool name');
    if (!isObjectText(call.function.arguments)) fault('the arguments are not a JSON object');
  }
}

function textsOf(message: ChatMessage): string[] {
  const texts = [textOf(message.content)];
  if (message.role !== 'assistant') return texts;
  if (message.reasoning_content !== undefined) texts.push(message.reasoning_content);
  for (const call of message.tool_calls ?? []) texts.push(call.function.arguments);
  return texts;
}

function isBadImage(part: ContentPart): boolean {
  return part.type === 'image_url' && !/^data:image\/(?:png|jpeg|gif|webp);base64,\S+$/.test(part.image_url.url);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
