import { type Language, languageOf } from '../../../base/sentences.ts';
import type { ChatMessage, ChatRequest, WireToolCall } from '../wire.ts';

/** Something a person said, without the frame that the harness may put around it. */
export interface Said {
  readonly text: string;
  /** Who spoke, where the request says so. */
  readonly speaker?: string;
  /** What the message quotes. */
  readonly quoted?: string;
}

/** A tool's result with the call that asked for it. */
export interface ToolResult {
  readonly call: WireToolCall;
  readonly text: string;
}

/** What the demo rules need to know of a request. */
export interface Conversation {
  readonly language: Language;
  /** What the current speaker said, oldest first, the current message last. */
  readonly mine: readonly Said[];
  readonly current: Said;
  /** The name by which the platform knows the speaker. */
  readonly accountName?: string;
  /** The results that came since the current message. */
  readonly results: readonly ToolResult[];
  /** The current message answers this question of the bot's. */
  readonly question?: string;
  /** What the bot itself said last. */
  readonly lastAnswer?: string;
}

const nothingSaid: Said = { text: '' };

/** Reads a conversation out of a request's messages. */
export function readConversation({ messages }: ChatRequest): Conversation {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const said = messages.filter(({ role }) => role === 'user').map(readSaid);
  const current = said.at(-1) ?? nothingSaid;
  const mine = said.filter(({ speaker }) => speaker === current.speaker);
  const before = messages.slice(0, Math.max(lastUser, 0));
  const system = messages.find(({ role }) => role === 'system')?.text ?? '';
  const context = /<context\b[^>]*>([\s\S]*?)<\/context>/.exec(messages[lastUser]?.text ?? '')?.[1] ?? '';
  const accountName = current.speaker ?? nameIn(context) ?? nameIn(system);
  const question = openQuestion(before);
  const lastAnswer = before.findLast(({ role, text }) => role === 'assistant' && text !== null)?.text;
  return {
    language: languageIn(mine, system),
    mine,
    current,
    results: resultsIn(messages, lastUser),
    ...(accountName === undefined ? {} : { accountName }),
    ...(question === undefined ? {} : { question }),
    ...(lastAnswer === undefined || lastAnswer === null ? {} : { lastAnswer }),
  };
}

const withoutEscapes = (text: string): string =>
  text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name] ?? '');

function readSaid(message: ChatMessage): Said {
  const raw = message.text ?? '';
  const speaker = /^\s*<message\b[^>]*?\bfrom="([^"]*)"/.exec(raw)?.[1];
  const quoted = /<quote\b[^>]*>\n?([\s\S]*?)\n?<\/quote>/.exec(raw)?.[1];
  const text = raw
    .replace(/<(quote|context|note)\b[^>]*>[\s\S]*?<\/\1>/g, '')
    .replace(/<\/?(?:message|forwarded|files)\b[^>]*>/g, '')
    .trim();
  return {
    text: withoutEscapes(text),
    ...(speaker === undefined ? {} : { speaker: withoutEscapes(speaker) }),
    ...(quoted === undefined ? {} : { quoted: withoutEscapes(quoted) }),
  };
}

/** Prompts say in many ways whom the bot talks to. */
function nameIn(prompt: string): string | undefined {
  const patterns = [
    /(?:talking|speaking|chatting) (?:to|with) "?([^\n".,;(<]{1,64})/i,
    /^[-*\s]*(?:speaker|user(?:'s)? name|user|person|name)\s*[:=]\s*"?([^\n".,;(<]{1,64})/im,
  ];
  for (const pattern of patterns) {
    const name = pattern.exec(prompt)?.[1]?.trim();
    if (name !== undefined && name !== '') return withoutEscapes(name);
  }
  return undefined;
}

/** The script of the newest message that shows one; bare numbers do not. */
function languageIn(mine: readonly Said[], system: string): Language {
  const telling = mine.findLast(({ text }) => /\p{Script=Han}|[a-z]{2}/iu.test(text));
  if (telling !== undefined) return languageOf(undefined, telling.text);
  return /\b(?:zh\b|chinese)|中文/i.test(system) ? 'zh' : 'en';
}

function resultsIn(messages: readonly ChatMessage[], lastUser: number): readonly ToolResult[] {
  const recent = messages.slice(lastUser + 1);
  const calls = recent.flatMap(({ toolCalls }) => toolCalls);
  return recent.flatMap(({ role, toolCallId, text }) => {
    const call = calls.find(({ id }) => role === 'tool' && id === toolCallId);
    return call === undefined ? [] : [{ call, text: text ?? '' }];
  });
}

/** The question that the bot asked through its tool, when nothing but that came before the current message. */
function openQuestion(before: readonly ChatMessage[]): string | undefined {
  const call = before
    .findLast(({ role }) => role === 'assistant')
    ?.toolCalls.find(({ function: called }) => called.name === 'ask_clarification');
  if (call === undefined) return undefined;
  return /"question"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(call.function.arguments)?.[1] ?? '';
}
