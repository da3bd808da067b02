import { EventEmitter } from 'node:events';
import type { Chat, Contact, Message, Room } from './model.ts';
import { isRoom } from './model.ts';

/** Everything there is in one WeChat: the account that the puppet plays, the people and rooms around it, what was said. */
export class World {
  readonly contacts = new Map<string, Contact>();
  readonly rooms = new Map<string, Room>();
  readonly messages = new Map<string, Message>();
  /** `message`: something is seen in a chat. */
  readonly seen = new EventEmitter<{ message: [Message] }>();
  account: Contact;
  #counter = 0;

  constructor(account: Contact) {
    this.account = account;
    this.contacts.set(account.id, account);
  }

  nextId(prefix: string): string {
    this.#counter += 1;
    return `${prefix}${String(this.#counter).padStart(6, '0')}`;
  }

  chat(id: string): Chat {
    const chat = this.rooms.get(id) ?? this.contacts.get(id);
    if (chat === undefined) throw new Error(`no contact or room ${id}`);
    return chat;
  }

  add(message: Omit<Message, 'id' | 'at' | 'recalled'> & { readonly id?: string; readonly at?: number }): Message {
    const whole = { id: this.nextId('m'), at: Date.now(), recalled: false, ...message };
    this.messages.set(whole.id, whole);
    this.seen.emit('message', whole);
    return whole;
  }

  /** What people see in a chat now, oldest first. */
  visible(chat: Chat): readonly Message[] {
    return [...this.messages.values()].filter((message) => message.chat === chat && !message.recalled);
  }

  /** The other side of a message, as the protocol names it: the room, or who listens. */
  listener(message: Message): { readonly roomId: string } | { readonly listenerId: string } {
    if (isRoom(message.chat)) return { roomId: message.chat.id };
    return { listenerId: message.from === message.chat ? this.account.id : message.chat.id };
  }
}
