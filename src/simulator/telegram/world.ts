import { Signal } from '../kit/signal.ts';
import type { Bot } from './bot.ts';
import {
  type Chat,
  chatToWire,
  type Edit,
  findMessage,
  followingId,
  type Message,
  type User,
  userToWire,
} from './chat.ts';
import type { ChatEvent, Press } from './events.ts';
import { Files } from './files.ts';
import { hears } from './hearing.ts';
import type { TelegramLimits } from './limits.ts';
import { messageToWire } from './message-wire.ts';

/** A message to be; what is left out has its usual value. */
export type NewMessage = Pick<Message, 'chat' | 'from' | 'content'> &
  Partial<Pick<Message, 'media' | 'service' | 'replyTo' | 'quote' | 'topic' | 'extra' | 'keyboard'>>;

/** A press that waits for its answer. */
export interface OpenPress {
  readonly bot: Bot;
  readonly message: Message;
  readonly press: Press;
}

/** Everything that exists in this Telegram: accounts, chats, messages, files. Both sides act on it. */
export class World {
  readonly limits: TelegramLimits;
  readonly now: () => number;
  readonly events = new Signal<ChatEvent>();
  readonly files = new Files();
  readonly bots: Bot[] = [];
  readonly users: User[] = [];
  readonly chats: Chat[] = [];
  readonly presses = new Map<string, OpenPress>();
  /** Private chats and basic groups share one sequence of message ids; each supergroup has its own. */
  #sharedMessageId = 0;
  #nextUserId = 5_000_000_001;
  #nextGroupId = 4_000_000_001;
  #nextAlbum = 1;
  // 52 bits, to catch who keeps ids in 32.
  #nextSupergroupId = 1_001_234_567_890_123;

  constructor(limits: TelegramLimits, now: () => number) {
    this.limits = limits;
    this.now = now;
  }

  nextUserId(): number {
    return this.#nextUserId++;
  }

  nextChatId(kind: 'group' | 'supergroup'): number {
    return kind === 'group' ? -this.#nextGroupId++ : -this.#nextSupergroupId++;
  }

  nextAlbum(): number {
    return this.#nextAlbum++;
  }

  /** The chat that a bot means by an id or by a public group's `@name`. */
  findChat(bot: Bot, reference: string): Chat | undefined {
    const ofBot = (chat: Chat): boolean => chat.kind !== 'private' || chat.bot?.id === bot.user.id;
    return reference.startsWith('@')
      ? this.chats.find((chat) => chat.username?.toLowerCase() === reference.slice(1).toLowerCase())
      : this.chats.find((chat) => String(chat.id) === reference && ofBot(chat));
  }

  botOf(userId: number): Bot | undefined {
    return this.bots.find((bot) => bot.user.id === userId);
  }

  /** Adds a message to its chat and tells everybody in it, bots included. */
  post(draft: NewMessage): Message {
    const { chat, keyboard, ...rest } = draft;
    const id = this.#nextMessageId(chat);
    const at = this.now();
    const chainId = this.#chainId(draft);
    const message: Message = {
      ...rest,
      chat,
      id,
      at,
      history: [{ at, text: draft.content.text }],
      reactions: new Map(),
      ...(chainId === undefined ? {} : { chainId }),
      ...(keyboard === undefined ? {} : { keyboard }),
    };
    chat.messages.push(message);
    this.events.emit({ type: 'message', chat, message });
    this.#tellBots(message, 'message');
    return message;
  }

  /** Changes a message's text and buttons; people see it as edited. */
  edit(message: Message, change: Pick<Message, 'content'> & { readonly keyboard?: Message['keyboard'] }): void {
    const edit: Edit = { at: this.now(), text: change.content.text };
    message.content = change.content;
    if (change.keyboard === undefined) delete message.keyboard;
    else message.keyboard = change.keyboard;
    message.editedAt = edit.at;
    message.history.push(edit);
    this.events.emit({ type: 'edit', chat: message.chat, message });
    this.#tellBots(message, 'edited_message');
  }

  /** Nobody is told of a deletion but those who look: bots get no update for it. */
  remove(message: Message): void {
    message.deletedAt = this.now();
    this.events.emit({ type: 'delete', chat: message.chat, message });
  }

  react(message: Message, by: User, emoji: readonly string[]): void {
    const before = message.reactions.get(by.id) ?? [];
    if (emoji.length === 0) message.reactions.delete(by.id);
    else message.reactions.set(by.id, emoji);
    this.events.emit({ type: 'reaction', chat: message.chat, message });
    if (by.isBot) return;
    const wire = (list: readonly string[]): object[] => list.map((one) => ({ type: 'emoji', emoji: one }));
    for (const bot of this.#botsIn(message.chat))
      bot.updates.push({
        message_reaction: {
          chat: chatToWire(message.chat),
          message_id: message.id,
          user: userToWire(by),
          date: Math.floor(this.now() / 1000),
          old_reaction: wire(before),
          new_reaction: wire(emoji),
        },
      });
  }

  /** A message that can still be found in its chat. */
  find(chat: Chat, id: number): Message | undefined {
    return findMessage(chat, id);
  }

  #nextMessageId(chat: Chat): number {
    if (chat.kind === 'supergroup') return followingId(chat);
    this.#sharedMessageId += 1;
    return this.#sharedMessageId;
  }

  /** In a plain supergroup a reply carries the id of the message that the chain of replies began with. */
  #chainId({ chat, replyTo, topic }: NewMessage): number | undefined {
    if (chat.kind !== 'supergroup' || chat.forum || topic !== undefined || replyTo === undefined) return undefined;
    return replyTo.chainId ?? replyTo.id;
  }

  #tellBots(message: Message, kind: 'message' | 'edited_message'): void {
    for (const bot of this.bots) if (hears(bot, message)) bot.updates.push({ [kind]: messageToWire(message) });
  }

  #botsIn(chat: Chat): readonly Bot[] {
    return this.bots.filter(
      ({ user }) => chat.bot?.id === user.id || chat.members.get(user.id)?.status === 'administrator',
    );
  }
}
