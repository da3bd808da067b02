import { Signal } from '../kit/signal.ts';
import type { ChatEvent, Push } from './events.ts';
import type { FeishuLimits } from './limits.ts';
import { type App, type Card, type Chat, type Department, isApp, type Message, type User } from './model.ts';
import { shownText } from './text.ts';
import { messageEvent } from './wire.ts';

export type NewMessage = Pick<Message, 'chat' | 'from' | 'type' | 'content'> &
  Partial<Pick<Message, 'mentions' | 'rootId' | 'parentId' | 'threadId' | 'card' | 'children' | 'at'>>;

export interface StoredFile {
  readonly key: string;
  readonly kind: 'image' | 'file';
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mime?: string;
  /** What an app has uploaded it as: `opus`, `mp4`, `stream`… */
  readonly type?: string;
}

/** Everything that exists in this Feishu: accounts, chats, messages, cards, files. Both sides act on it. */
export class World {
  readonly limits: FeishuLimits;
  readonly now: () => number;
  readonly events = new Signal<ChatEvent>();
  readonly pushes = new Signal<Push>();
  readonly users: User[] = [];
  readonly departments: Department[] = [];
  readonly apps: App[] = [];
  readonly chats: Chat[] = [];
  readonly cards = new Map<string, Card>();
  readonly files = new Map<string, StoredFile>();
  /** What was sent under an app's uuid, and when. */
  readonly uuids = new Map<string, { readonly message: Message; readonly at: number }>();
  #ids = 0;

  constructor(limits: FeishuLimits, now: () => number) {
    this.limits = limits;
    this.now = now;
  }

  /** An id of the platform's look: a prefix and 32 characters. */
  id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#ids.toString(16).padStart(8, '0').padEnd(32, 'c')}`;
  }

  message(id: string): Message | undefined {
    for (const { messages } of this.chats) {
      const found = messages.find((message) => message.id === id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  chat(id: string): Chat | undefined {
    return this.chats.find((chat) => chat.id === id);
  }

  /** Puts a message into its chat; people see it, and apps that hear it are told. */
  post(content: NewMessage): Message {
    const message: Message = {
      mentions: [],
      at: this.now(),
      ...content,
      id: this.id('om'),
      edits: 0,
      reactions: [],
      history: [],
    };
    message.history.push(shownText(message));
    message.chat.messages.push(message);
    this.events.emit({ type: 'message', chat: message.chat, message });
    for (const app of message.chat.apps)
      if (hears(app, message)) this.push(app, 'im.message.receive_v1', messageEvent(message));
    return message;
  }

  /** People see a message as it reads now. */
  changed(message: Message): void {
    const text = shownText(message);
    if (message.history.at(-1) !== text) message.history.push(text);
    this.events.emit({ type: 'edit', chat: message.chat, message });
  }

  recall(message: Message, by: User | App): void {
    message.recalledAt = this.now();
    this.events.emit({ type: 'recall', chat: message.chat, message });
    if (isApp(by)) return;
    const event = {
      message_id: message.id,
      chat_id: message.chat.id,
      recall_time: String(message.recalledAt),
      recall_type: 'message_owner',
    };
    for (const app of message.chat.apps) if (hears(app, message)) this.push(app, 'im.message.recalled_v1', event);
  }

  /** Hands an event to the app's connection or webhook. */
  push(app: App, type: string, event: object, tenantKey = app.tenantKey): Push {
    const id = this.id('ev').slice(3);
    const header = {
      event_id: id,
      event_type: type,
      create_time: String(this.now()),
      app_id: app.appId,
      tenant_key: tenantKey,
    };
    const push: Push = { app, id, type, envelope: { schema: '2.0', header, event } };
    this.pushes.emit(push);
    return push;
  }
}

/** An app hears no message of its own; in groups, only those that mention it unless it may hear all. */
function hears(app: App, { chat, from, mentions }: Message): boolean {
  if (from === app) return false;
  return chat.kind === 'p2p' || app.hears === 'all' || mentions.some(({ openId }) => openId === app.openId);
}
