import { type Language, languageOf } from '../../../base/sentences.ts';
import { type ChatMessage, type ChatRequest, isRecord, type WireToolCall } from '../wire.ts';

/** Something a person said, without the frame that the harness may put around it. */
export interface Said {
  readonly text: string;
  /** In groups: what the speaker is called, and by which id they are told from others. */
  readonly name?: string;
  readonly id?: string;
  /** What the message quotes. */
  readonly quoted?: string;
  /** Files that came along, quoted ones included. */
  readonly files: readonly SaidFile[];
}

/** A file as the harness writes it down: `plan.csv (file, text/csv, 12 KB, id f_1)`, and why it cannot be read. */
export interface SaidFile {
  readonly name: string;
  readonly facts: string;
  readonly readable: boolean;
}

/** An image that the request itself holds. */
export interface SeenImage {
  readonly mime: string;
  readonly bytes: number;
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
  /** What of the newest message's images can be looked at. */
  readonly images: readonly SeenImage[];
  /** The name by which the platform knows the speaker. */
  readonly accountName?: string;
  /** The results that came since the current message. */
  readonly results: readonly ToolResult[];
  /** The bot had asked something back, and the current message may be the answer. */
  readonly wasAsked: boolean;
  /** The answer that was picked: a button's, or the one whose number was written. */
  readonly picked?: string;
}

const nothingSaid: Said = { text: '', files: [] };

/** Reads a conversation out of a request's messages. */
export function readConversation({ messages }: ChatRequest): Conversation {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const said = messages.filter(({ role }) => role === 'user').flatMap(readSaid);
  const current = said.at(-1) ?? nothingSaid;
  const mine = said.filter(({ id, name }) => id === current.id && name === current.name);
  const before = messages.slice(0, Math.max(lastUser, 0));
  const system = messages.find(({ role }) => role === 'system')?.text ?? '';
  const context = /<context\b[^>]*>([\s\S]*?)<\/context>/.exec(messages[lastUser]?.text ?? '')?.[1] ?? '';
  const picked = /The answer to your question “[^”]*” is: \d+\. (.+)/.exec(messages[lastUser]?.text ?? '')?.[1];
  const accountName = current.name ?? nameIn(context) ?? nameIn(system);
  return {
    language: languageIn(mine, context === '' ? system : context),
    mine,
    current,
    images: imagesIn(messages[lastUser]),
    results: resultsIn(messages, lastUser),
    wasAsked: hasQuestion(before.slice(before.findLastIndex(({ role }) => role === 'user') + 1)),
    ...(picked === undefined ? {} : { picked: withoutEscapes(picked) }),
    ...(accountName === undefined ? {} : { accountName }),
  };
}

const withoutEscapes = (text: string): string =>
  text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name] ?? '');

/** One message of a request may hold what several people said, one frame each. */
function readSaid(message: ChatMessage): Said[] {
  const raw = (message.text ?? '').replace(/<(context|note)\b[^>]*>[\s\S]*?<\/\1>/g, '');
  const frames = [...raw.matchAll(/<message\b(?: from="([^"]*)")?(?: id="([^"]*)")?[^>]*>([\s\S]*?)<\/message>/g)];
  if (frames.length === 0) return [readBody(raw)];
  return frames.map(([, name, id, body = '']) => ({
    ...readBody(body),
    ...(name === undefined ? {} : { name: withoutEscapes(name) }),
    ...(id === undefined ? {} : { id }),
  }));
}

function readBody(body: string): Said {
  const files = [...body.matchAll(FILES)].flatMap(([, lines = '']) => lines.split('\n').flatMap(fileIn));
  const bare = body.replace(FILES, '');
  const quoted = /<quote\b[^>]*>\n?([\s\S]*?)\n?<\/quote>/.exec(bare)?.[1]?.trim();
  const text = bare
    .replace(/<quote\b[^>]*>[\s\S]*?<\/quote>/g, '')
    .replace(/<\/?forwarded\b[^>]*>/g, '')
    .trim();
  const isQuoted = quoted !== undefined && quoted !== '';
  return { text: withoutEscapes(text), files, ...(isQuoted ? { quoted: withoutEscapes(quoted) } : {}) };
}

const FILES = /<files>\n?([\s\S]*?)\n?<\/files>/g;

function fileIn(line: string): SaidFile[] {
  const [, name, facts = '', problem] = /^(.+) \(([^()]*), id [\w-]+\)(:.*)?$/.exec(line.trim()) ?? [];
  if (name === undefined) return [];
  return [{ name: withoutEscapes(name), facts: withoutEscapes(facts), readable: problem === undefined }];
}

function imagesIn(message: ChatMessage | undefined): SeenImage[] {
  if (!Array.isArray(message?.content)) return [];
  return message.content.flatMap((part: unknown): SeenImage[] => {
    const url = isRecord(part) && isRecord(part.image_url) ? part.image_url.url : undefined;
    const [, mime = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/s.exec(typeof url === 'string' ? url : '') ?? [];
    return mime === '' ? [] : [{ mime, bytes: Math.floor((base64.replace(/=+$/, '').length * 3) / 4) }];
  });
}

/** Prompts say in many ways whom the bot talks to. */
function nameIn(prompt: string): string | undefined {
  const patterns = [
    /^You answer: (.{1,64}?) \(id /im,
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
function languageIn(mine: readonly Said[], prompt: string): Language {
  const telling = mine.findLast(({ text }) => /\p{Script=Han}|[a-z]{2}/iu.test(text));
  if (telling !== undefined) return languageOf(undefined, telling.text);
  return /\b(?:zh\b|chinese)|中文/i.test(prompt) ? 'zh' : 'en';
}

function resultsIn(messages: readonly ChatMessage[], lastUser: number): readonly ToolResult[] {
  const recent = messages.slice(lastUser + 1);
  const calls = recent.flatMap(({ toolCalls }) => toolCalls);
  return recent.flatMap(({ role, toolCallId, text }) => {
    const call = calls.find(({ id }) => role === 'tool' && id === toolCallId);
    return call === undefined ? [] : [{ call, text: text ?? '' }];
  });
}

/** Whether the bot asked back through its tool, in what came between the two newest messages of people. */
const hasQuestion = (between: readonly ChatMessage[]): boolean =>
  between.some(({ toolCalls }) => toolCalls.some(({ function: called }) => called.name === 'ask_clarification'));
