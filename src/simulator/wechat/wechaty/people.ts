import {
  type Card,
  type Chat,
  type Contact,
  isRoom,
  type Message,
  type MessageTypeName,
  type Room,
  type StoredFile,
} from './model.ts';
import type { SimulatedPuppet } from './puppet.ts';
import type { World } from './world.ts';

export interface SayOptions {
  /** Whom the protocol says to be mentioned; the `@name` stands in the text by itself. */
  readonly mention?: readonly Contact[];
  /** The text is put below a quote of this message, in the form that WeChat's apps give it. */
  readonly quote?: Message;
  readonly type?: MessageTypeName;
  readonly file?: StoredFile;
  readonly card?: Card;
  /** Milliseconds since the epoch; some puppets tell seconds. */
  readonly at?: number;
}

/** Between a name that is mentioned and what follows, in WeChat's apps. */
const MENTION_END = '\u2005';
const QUOTE_RULE = '- - - - - - - - - - - - - - -';

/** What people do in WeChat: talk, send, take back, come and go. */
export class People {
  readonly #world: World;
  readonly #puppet: SimulatedPuppet;

  constructor(world: World, puppet: SimulatedPuppet) {
    this.#world = world;
    this.#puppet = puppet;
  }

  /** Says something in a room, or, with the person as chat, in the direct chat with the account. */
  say(from: Contact, chat: Chat, text: string, options: SayOptions = {}): Message {
    const { mention = [], quote, type = 'text', ...rest } = options;
    const message = this.#world.add({
      ...{ chat, from, type, ...rest },
      text: quote === undefined ? text : `${quoteOf(quote)}\n${text}`,
      mentions: mention.map(({ id }) => id),
    });
    this.#puppet.emit('message', { messageId: message.id });
    return message;
  }

  /** `@name` as WeChat's apps write it when the person is picked from the list. */
  at(person: Contact, room?: Room): string {
    return `@${room?.aliases.get(person.id) ?? person.name}${MENTION_END}`;
  }

  sendFile(from: Contact, chat: Chat, file: StoredFile, type: MessageTypeName = 'attachment'): Message {
    return this.say(from, chat, '', { type, file });
  }

  /** Takes a message back. */
  recall(message: Message): void {
    message.recalled = true;
    this.say(message.from, message.chat, message.id, { type: 'recalled' });
  }

  /** The same message comes once more, as happens after a reconnect. */
  repeat(message: Message): void {
    this.#puppet.emit('message', { messageId: message.id });
  }

  join(person: Contact, room: Room, by: Contact = person): void {
    if (!room.members.includes(person)) room.members.push(person);
    const at = { roomId: room.id, timestamp: Date.now() };
    this.#puppet.emit('room-join', { ...at, inviteeIdList: [person.id], inviterId: by.id });
  }

  leave(person: Contact, room: Room, by: Contact = person): void {
    room.members.splice(room.members.indexOf(person), 1);
    const at = { roomId: room.id, timestamp: Date.now() };
    this.#puppet.emit('room-leave', { ...at, removeeIdList: [person.id], removerId: by.id });
  }

  rename(by: Contact, room: Room, topic: string): void {
    const oldTopic = room.topic;
    room.topic = topic;
    this.#puppet.emit('room-topic', {
      ...{ roomId: room.id, timestamp: Date.now() },
      ...{ oldTopic, newTopic: topic, changerId: by.id },
    });
  }

  /** Somebody wants to be a contact of the account. */
  askForFriendship(): void {
    this.#puppet.emit('friendship', { friendshipId: this.#world.nextId('f') });
  }

  inviteToRoom(): void {
    this.#puppet.emit('room-invite', { roomInvitationId: this.#world.nextId('i') });
  }
}

function quoteOf({ chat, from, text, type }: Message): string {
  const name = (isRoom(chat) ? chat.aliases.get(from.id) : undefined) ?? from.name;
  return `「${name}：${type === 'text' ? text : '[图片]'}」\n${QUOTE_RULE}`;
}
