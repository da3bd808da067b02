/** The chat-completions messages that requests are made of, as strictly as the strictest endpoints take them. */
export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  /** Parts only where there is an image: the simplest endpoints take nothing but text. */
  readonly content: string | readonly ContentPart[];
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** One content behind another; texts that meet become one. */
export function joinContent(first: UserMessage['content'], second: UserMessage['content']): UserMessage['content'] {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  const [before, after] = [partsOf(first), partsOf(second)];
  const [last, next] = [before.at(-1), after[0]];
  if (last?.type !== 'text' || next?.type !== 'text') return [...before, ...after];
  return [...before.slice(0, -1), { type: 'text', text: `${last.text}\n\n${next.text}` }, ...after.slice(1)];
}

/** The text of a message's content, images left out. */
export const textOf = (content: UserMessage['content'] | null): string =>
  content === null || typeof content === 'string'
    ? (content ?? '')
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');

export const imageCount = (message: ChatMessage): number =>
  message.role === 'user' && typeof message.content !== 'string'
    ? message.content.filter(({ type }) => type === 'image_url').length
    : 0;

const partsOf = (content: UserMessage['content']): readonly ContentPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

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
  /** Only to the model that gave it. */
  readonly extra_content?: Readonly<Record<string, unknown>>;
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}
