import { field, textAt } from '../kit/field.ts';
import { Signal } from '../kit/signal.ts';
import { ApiError } from './api-error.ts';
import type { WecomLimits } from './limits.ts';
import type { App, Bot, Card, Chat, Message, Person, Push, SharedFile, WecomEvent } from './model.ts';

export type NewMessage = Pick<Message, 'chat' | 'from' | 'text'> &
  Partial<Pick<Message, 'file' | 'card' | 'quoting' | 'stream'>>;

/** What a message or event may be answered by, and for how long. */
export interface Reply {
  readonly push: Push;
  readonly kind: 'message' | 'welcome' | 'press';
  readonly at: number;
  /** The growing answer that has begun there; it is no message before it has a word. */
  stream?: { readonly id: string; readonly at: number };
  answer?: Message;
  used: boolean;
}

/** Everything that exists in this WeCom: people, bots, apps, chats, files. Both sides act on it. */
export class World {
  readonly limits: WecomLimits;
  readonly now: () => number;
  readonly events = new Signal<WecomEvent>();
  readonly pushes = new Signal<Push>();
  readonly people: Person[] = [];
  readonly bots: Bot[] = [];
  readonly apps: App[] = [];
  readonly chats: Chat[] = [];
  readonly files = new Map<string, SharedFile>();
  /** By `response_code`. */
  readonly responses = new Map<string, Reply>();
  #ids = 0;

  constructor(limits: WecomLimits, now: () => number) {
    this.limits = limits;
    this.now = now;
  }

  id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${this.#ids.toString().padStart(8, '0')}`;
  }

  chatWith(one: Bot | App, id: string): Chat | undefined {
    return this.chats.find((chat) => chat.with === one && chat.id === id);
  }

  keep(file: Omit<SharedFile, 'id'>): SharedFile {
    const kept = { ...file, id: this.id('MEDIA_') };
    this.files.set(kept.id, kept);
    return kept;
  }

  post(content: NewMessage): Message {
    const { chat, from } = content;
    const message: Message = {
      ...content,
      id: this.id(chat.with.kind === 'app' ? '77000000' : 'CAIQ'),
      fromBot: 'kind' in from,
      at: this.now(),
      history: [content.text],
    };
    chat.messages.push(message);
    this.events.emit({ type: 'message', chat, message });
    return message;
  }

  changed(message: Message): void {
    if (message.history.at(-1) !== message.text) message.history.push(message.text);
    this.events.emit({ type: 'edit', chat: message.chat, message });
  }

  recall(message: Message): void {
    message.recalledAt = this.now();
    this.events.emit({ type: 'recall', chat: message.chat, message });
  }

  /** What a bot answers in the place of a message: the whole text so far, until it is finished. */
  showStream(reply: Reply, body: Readonly<Record<string, unknown>>): void {
    const { id, finish, content } = streamIn(body);
    const { push, stream = { id, at: this.now() } } = reply;
    const answer = reply.answer ?? this.#streamIn(push.chat, id);
    if (id === '' || stream.id !== id || answer?.stream?.finished === true)
      throw new ApiError(846605, 'invalid req_id');
    if (Buffer.byteLength(content) > this.limits.botTextBytes) throw new ApiError(45002, 'content size out of limit');
    if (this.now() - stream.at > this.limits.streamMs)
      throw new ApiError(846608, 'stream message update expired (>6 minutes), cannot update');
    const card = body.msgtype === 'stream_with_template_card' ? cardIn(body.template_card, this.limits) : undefined;
    reply.stream = stream;
    const text = content.replace(/<think>.*?<\/think>/gs, '');
    if (text === '' && !finish) {
      this.events.emit({ type: 'typing', chat: push.chat });
      return;
    }
    if (answer === undefined) {
      const begun = { chat: push.chat, from: push.to, text, stream: { id, finished: finish } };
      reply.answer = this.post(card === undefined ? begun : { ...begun, card });
      return;
    }
    answer.text = text;
    if (card !== undefined) answer.card = card;
    if (answer.stream !== undefined) answer.stream.finished = finish;
    this.changed(answer);
  }

  /** A growing answer is known by its id, whichever delivery of a message began it. */
  #streamIn(chat: Chat, id: string): Message | undefined {
    return chat.messages.find(({ stream }) => stream?.id === id);
  }

  isFinished(chat: Chat, id: string): boolean {
    return this.#streamIn(chat, id)?.stream?.finished === true;
  }

  /** What a bot says by itself. */
  say(one: Bot | App, chat: Chat, body: Readonly<Record<string, unknown>>): Message {
    const type = String(body.msgtype);
    const limit = one.kind === 'bot' ? this.limits.botTextBytes : this.limits.appTextBytes;
    switch (type) {
      case 'markdown':
      case 'text': {
        const content = textAt(body[type], 'content');
        if (content === '') throw new ApiError(44004, 'empty content');
        if (one.kind === 'bot' && type === 'text') throw new ApiError(40008, 'invalid message type');
        if (Buffer.byteLength(content) <= limit) return this.post({ chat, from: one, text: content });
        if (one.kind === 'bot') throw new ApiError(45002, 'content size out of limit');
        return this.post({ chat, from: one, text: Buffer.from(content).subarray(0, limit).toString('utf8') });
      }
      case 'template_card': {
        const card = cardIn(body.template_card, this.limits);
        if (chat.messages.some((message) => message.card?.taskId === card.taskId))
          throw new ApiError(42026, 'task_id repeated');
        return this.post({
          chat,
          from: one,
          text: [card.title, card.text].filter((part) => part !== '').join('\n'),
          card,
        });
      }
      case 'image':
      case 'voice':
      case 'video':
      case 'file': {
        const file = this.files.get(textAt(body[type], 'media_id'));
        if (file === undefined) throw new ApiError(40007, 'invalid media_id');
        return this.post({ chat, from: one, text: '', file });
      }
      default:
        throw new ApiError(40008, 'invalid message type');
    }
  }
}

export const streamIn = (body: unknown) => ({
  id: textAt(body, 'stream', 'id'),
  finish: field(body, 'stream', 'finish') === true,
  content: textAt(body, 'stream', 'content'),
});

/** Reads a card with buttons, as strictly as the platform does. */
export function cardIn(value: unknown, limits: WecomLimits): Card {
  const list = field(value, 'button_list');
  const buttons = (Array.isArray(list) ? list : []).map((button) => ({
    text: textAt(button, 'text'),
    key: textAt(button, 'key'),
  }));
  const taskId = textAt(value, 'task_id');
  const title = textAt(value, 'main_title', 'title');
  const isFine =
    textAt(value, 'card_type') === 'button_interaction' &&
    /^[\w@-]{1,128}$/.test(taskId) &&
    title !== '' &&
    buttons.length >= 1 &&
    buttons.length <= limits.cardButtons &&
    buttons.every(({ text, key }) => text !== '' && key !== '' && Buffer.byteLength(key) <= limits.buttonKeyBytes) &&
    new Set(buttons.map(({ key }) => key)).size === buttons.length;
  if (!isFine) throw new ApiError(40058, 'invalid template_card');
  const replaced = textAt(value, 'replace_text');
  return { taskId, title, text: textAt(value, 'sub_title_text'), buttons, ...(replaced === '' ? {} : { replaced }) };
}
