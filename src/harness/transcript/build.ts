import type { LogEntry, UserEntry } from '../log.ts';
import type { ModelConfig } from '../port.ts';
import { asData, framed, renderHeard } from './frame.ts';
import {
  filesOf,
  fittingImages,
  IMAGE_TOKENS,
  type Images,
  looksLikeImage,
  unseenNote,
  type ViewedImage,
  viewedNote,
} from './images.ts';
import {
  type AssistantMessage,
  type ChatMessage,
  imageCount,
  joinContent,
  type ToolMessage,
  textOf,
  type UserMessage,
} from './messages.ts';
import type { AssistantBlock, Block } from './pair.ts';
import { coveredIn, uncovered } from './summary.ts';
import { cleanText } from './text.ts';
import { estimateTokens, MESSAGE_TOKENS } from './tokens.ts';
import { blockTokens, cutToWindow } from './window.ts';

/** Everything that a model request is made of. */
export interface RequestSource {
  /** The same for every request of an assistant, so that endpoints can cache it. */
  readonly system: string;
  /** The whole log: history, this turn's input and what the run has added. */
  readonly log: readonly LogEntry[];
  /** Index in `log` of this turn's first entry. */
  readonly turnStart: number;
  /** How a message of a person is written down. */
  readonly render: (entry: UserEntry) => string;
  /** What changes from turn to turn (date, speaker); stands before this turn's messages. Empty: none. */
  readonly context: string;
  /** What the model is told now and never again; stands at the very end. Empty: none. */
  readonly note: string;
  /** Images of the log's messages, for models that see. */
  readonly images: Images;
  /** Images that the model has asked to see, for models that see; they stand at the end. */
  readonly viewed?: readonly ViewedImage[];
  readonly model: Pick<ModelConfig, 'contextWindow' | 'maxOutputTokens' | 'replayReasoning' | 'vision'> &
    Partial<Pick<ModelConfig, 'name'>>;
  /** What the descriptions of the tools take. */
  readonly toolTokens: number;
  /** Less than the window offers, after the endpoint found a request too long in spite of our estimate. */
  readonly maxTokens?: number;
}

const DEFAULT_OUTPUT_TOKENS = 4096;
const EARLIER_LEFT_OUT = '(Earlier messages of this conversation are no longer shown.)';
const BOT_SPOKE_FIRST = '(You wrote first.)';
const NOTHING_WRITTEN = '(Go on.)';
const LOOKING = '(I look at it.)';
const NO_ANSWER = '(I was interrupted before I could answer.)';

/**
 * Builds the messages of a model request. Pure, and total: whatever the log holds, the strictest endpoint accepts the
 * outcome ({@link validateRequest} spells out what that means). The log itself is never repaired.
 */
export function buildRequest(source: RequestSource): ChatMessage[] {
  const { system, model, turnStart } = source;
  const rendered = new Map<UserEntry, string>();
  const render = (entry: UserEntry): string => {
    const text = rendered.get(entry) ?? cleanText(source.render(entry));
    rendered.set(entry, text);
    return text;
  };
  const { viewed = [] } = source;
  const budget = budgetFor(source) - (model.vision ? viewed.length * IMAGE_TOKENS : 0);
  const shown = model.vision ? fittingImages(source.images, budget) : new Map<never, never>();
  const urlsOf = (entry: UserEntry): string[] =>
    shown.size === 0 ? [] : filesOf(entry).flatMap(({ id }) => shown.get(id) ?? []);
  const size = (block: Block): number =>
    block.kind === 'user'
      ? blockTokens(block, render(block.entry), false) + urlsOf(block.entry).length * IMAGE_TOKENS
      : blockTokens(block, '', model.replayReasoning);
  const covered = coveredIn(source.log);
  const earlier = covered === null ? '' : framed('summary', asData(covered.summary.text));
  const blocks = uncovered(source.log, covered, turnStart);
  const window = cutToWindow(blocks, turnStart, budget - estimateTokens(earlier), size);

  const request = new RequestWriter(model.replayReasoning, model.name);
  if (earlier !== '') request.user(earlier);
  if (window.cut) request.user(EARLIER_LEFT_OUT);
  let contextWritten = source.context === '';
  for (const block of window.blocks) {
    if (block.kind === 'assistant') {
      request.assistant(block);
      continue;
    }
    if (block.kind === 'heard') {
      request.user(cleanText(renderHeard(block.entry)));
      continue;
    }
    if (!contextWritten && block.index >= turnStart) {
      request.user(source.context);
      contextWritten = true;
    }
    request.user(render(block.entry), urlsOf(block.entry));
    if (block.index < turnStart) continue;
    const note = unseenNote(filesOf(block.entry).filter(looksLikeImage), source.images, shown, model.vision);
    if (note !== '') request.user(note);
  }
  if (viewed.length > 0) {
    const urls = model.vision ? viewed.map(({ url }) => url) : [];
    request.user(viewedNote(viewed, model.vision), urls, LOOKING);
  }
  return request.finish(cleanText(system), contextWritten ? '' : source.context, source.note);
}

/** What messages take, as we estimate it. */
export function requestTokens(messages: readonly ChatMessage[]): number {
  let tokens = 0;
  for (const message of messages) {
    tokens += MESSAGE_TOKENS + estimateTokens(textOf(message.content)) + imageCount(message) * IMAGE_TOKENS;
    if (message.role !== 'assistant') continue;
    tokens += estimateTokens(message.reasoning_content ?? '');
    for (const call of message.tool_calls ?? []) tokens += estimateTokens(call.function.arguments) + MESSAGE_TOKENS;
  }
  return tokens;
}

function budgetFor(source: RequestSource): number {
  const { contextWindow, maxOutputTokens } = source.model;
  const forOutput = Math.min(maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS, Math.floor(contextWindow / 3));
  const fixed = [source.system, source.context, source.note].map(estimateTokens).reduce((a, b) => a + b, 0);
  const room = Math.min(contextWindow - forOutput, source.maxTokens ?? Number.POSITIVE_INFINITY);
  return room - fixed - source.toolTokens - 2 * MESSAGE_TOKENS;
}

/** A block as it stands in requests. Most of a conversation stands in each one unchanged, and is written once. */
interface WrittenBlock {
  readonly message: AssistantMessage;
  readonly results: readonly ToolMessage[];
}

const writtenWithReasoning = new WeakMap<AssistantBlock, WrittenBlock>();
const writtenWithout = new WeakMap<AssistantBlock, WrittenBlock>();

/** Appends messages while keeping the order of roles that templates with strict turns insist on. */
class RequestWriter {
  readonly #messages: ChatMessage[] = [];
  readonly #withReasoning: boolean;
  readonly #model: string | undefined;

  constructor(withReasoning: boolean, model: string | undefined) {
    this.#withReasoning = withReasoning;
    this.#model = model;
  }

  /** `bridge`: what the assistant says where a result comes right before. */
  user(text: string, images: readonly string[] = [], bridge = NO_ANSWER): void {
    const pictures = images.map((url) => ({ type: 'image_url', image_url: { url } }) as const);
    const content: UserMessage['content'] = pictures.length === 0 ? text : [{ type: 'text', text }, ...pictures];
    const last = this.#messages.at(-1);
    if (last?.role === 'user') {
      this.#replaceLast({ role: 'user', content: joinContent(last.content, content) });
      return;
    }
    // Mistral's templates refuse a user message right after a tool's.
    if (last?.role === 'tool') this.#messages.push(this.#message(bridge, ''));
    this.#messages.push({ role: 'user', content });
  }

  assistant(block: AssistantBlock): void {
    if (this.#messages.length === 0) this.user(BOT_SPOKE_FIRST);
    const { message: plain, results } = this.#written(block);
    // Other endpoints refuse fields that they do not know.
    const message = block.entry.model === this.#model ? withExtras(plain, block) : plain;
    const last = this.#messages.at(-1);
    if (last?.role === 'assistant') this.#replaceLast(joined(last, message));
    else this.#messages.push(message);
    this.#messages.push(...results);
  }

  #written(block: AssistantBlock): WrittenBlock {
    const before = this.#withReasoning ? writtenWithReasoning : writtenWithout;
    const known = before.get(block);
    if (known !== undefined) return known;
    const text = cleanText(block.entry.text);
    const message = this.#message(text.trim() === '' ? null : text, block.entry.reasoning ?? '');
    const calls = block.calls.map(({ id, name, arguments: written }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: written },
    }));
    const results = block.calls.map(({ id, result }): ToolMessage => {
      const content = cleanText(result);
      return { role: 'tool', tool_call_id: id, content: content.trim() === '' ? '(no output)' : content };
    });
    const written = { message: calls.length === 0 ? message : { ...message, tool_calls: calls }, results };
    before.set(block, written);
    return written;
  }

  finish(system: string, context: string, note: string): ChatMessage[] {
    if (context !== '') this.user(context);
    const last = this.#messages.at(-1);
    if (last === undefined || last.role === 'assistant') this.user(NOTHING_WRITTEN);
    const end = this.#messages.at(-1);
    // A message of its own would break the order of roles behind a tool's result.
    if (note !== '' && end?.role === 'user')
      this.#replaceLast({ ...end, content: joinContent(end.content, cleanText(note)) });
    if (note !== '' && end?.role === 'tool')
      this.#replaceLast({ ...end, content: `${end.content}\n\n${cleanText(note)}` });
    return system.trim() === '' ? this.#messages : [{ role: 'system', content: system }, ...this.#messages];
  }

  #message(content: string | null, reasoning: string): AssistantMessage {
    const message = { role: 'assistant', content } as const;
    return this.#withReasoning ? { ...message, reasoning_content: cleanText(reasoning) } : message;
  }

  #replaceLast(message: ChatMessage): void {
    this.#messages[this.#messages.length - 1] = message;
  }
}

function withExtras(message: AssistantMessage, { calls }: AssistantBlock): AssistantMessage {
  if (calls.every(({ extra }) => extra === undefined)) return message;
  const wired = message.tool_calls?.map((call, index) => {
    const extra = calls[index]?.extra;
    return extra === undefined ? call : { ...call, extra_content: extra };
  });
  return wired === undefined ? message : { ...message, tool_calls: wired };
}

/** Two assistant messages in a row as one; only the later one can carry calls. */
function joined(first: AssistantMessage, second: AssistantMessage): AssistantMessage {
  const contents = [first.content, second.content].filter((content) => content !== null);
  const reasoning = [first.reasoning_content, second.reasoning_content].filter(
    (part) => part !== undefined && part !== '',
  );
  return {
    ...second,
    content: contents.length === 0 ? null : contents.join('\n\n'),
    ...(second.reasoning_content === undefined ? {} : { reasoning_content: reasoning.join('\n\n') }),
  };
}
