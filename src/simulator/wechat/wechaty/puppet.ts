import { EventEmitter } from 'node:events';
import { FileBox, type FileBoxInterface } from 'file-box';
import type { CallLog } from '../../kit/call-log.ts';
import type { Faults } from '../../kit/faults.ts';
import type { WechatyFault } from './faults.ts';
import { type Card, type Contact, isRoom, type Message, messageType, type Room } from './model.ts';
import type { World } from './world.ts';

/** The longest text that WeChat's apps send. */
const TEXT_MAX_CHARS = 2_048;

export interface PuppetCall {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly at: number;
}

export interface PuppetOptions {
  readonly world: World;
  readonly faults: Faults<WechatyFault>;
  readonly calls: CallLog<PuppetCall>;
  /** Breaks every connection. */
  readonly drop: () => void;
}

const contactType = { person: 1, official: 2, corporation: 3 } as const;

/**
 * A puppet of wechaty whose WeChat is a {@link World}: the part of the puppet's interface that a puppet service asks.
 * Written against the interface instead of inheriting from wechaty's own class, whose caches would hide changes.
 */
export class SimulatedPuppet extends EventEmitter {
  readonly #world: World;
  readonly #faults: Faults<WechatyFault>;
  readonly #calls: CallLog<PuppetCall>;
  readonly #drop: () => void;
  isLoggedIn = false;
  /** False: it answers nothing any more, and no heartbeat either. */
  isAlive = true;
  readonly readyIndicator = { value: (): boolean => this.isLoggedIn };

  constructor({ world, faults, calls, drop }: PuppetOptions) {
    super();
    this.setMaxListeners(0);
    this.disconnect();
    this.#world = world;
    this.#faults = faults;
    this.#calls = calls;
    this.#drop = drop;
  }

  get currentUserId(): string {
    return this.#world.account.id;
  }

  version(): string {
    return '0.0.0';
  }

  /** Nobody listens any more; an `error` event would then be thrown, were there no listener at all. */
  disconnect(): void {
    this.removeAllListeners();
    this.on('error', () => {});
  }

  /** Does what a method does, after what was planned to happen to it. */
  async #answer<Result>(
    method: string,
    args: readonly unknown[],
    act: () => Result | Promise<Result>,
  ): Promise<Result> {
    this.#calls.add({ method, args, at: Date.now() });
    const fault = this.isAlive ? this.#faults.take(method) : ({ kind: 'hang' } as const);
    switch (fault?.kind) {
      case undefined:
        return act();
      case 'hang':
        return new Promise(() => {});
      case 'refuse':
        throw Object.assign(new Error(fault.message), fault.code === undefined ? {} : { code: fault.code });
      case 'drop':
        if (fault.processed) await act();
        this.#drop();
        return new Promise(() => {});
      default:
        return fault satisfies never;
    }
  }

  start = (): Promise<void> => this.#answer('start', [], () => {});
  stop = (): Promise<void> => this.#answer('stop', [], () => {});
  logout = (): Promise<void> => this.#answer('logout', [], () => {});

  /** Whoever keeps something about `id` is told to forget it. */
  dirtyPayload = (type: number, id: string): Promise<void> =>
    this.#answer('dirtyPayload', [type, id], () => {
      this.emit('dirty', { payloadType: type, payloadId: id });
    });

  ding = (data: string): Promise<void> =>
    this.#answer('ding', [data], () => {
      this.emit('dong', { data });
    });

  contactPayload = (id: string): Promise<object> =>
    this.#answer('contactPayload', [id], () => {
      const { name, kind } = this.#contact(id);
      return { id, name, type: contactType[kind], gender: 0, avatar: '', phone: [] };
    });

  contactList = (): Promise<string[]> => this.#answer('contactList', [], () => [...this.#world.contacts.keys()]);
  contactAlias = (id: string): Promise<string> => this.#answer('contactAlias', [id], () => '');
  roomList = (): Promise<string[]> => this.#answer('roomList', [], () => [...this.#world.rooms.keys()]);

  roomPayload = (id: string): Promise<object> =>
    this.#answer('roomPayload', [id], () => {
      const { topic, members } = this.#room(id);
      return { id, topic, memberIdList: members.map((member) => member.id), adminIdList: [] };
    });

  roomMemberList = (id: string): Promise<string[]> =>
    this.#answer('roomMemberList', [id], () => this.#room(id).members.map((member) => member.id));

  roomMemberPayload = (roomId: string, id: string): Promise<object> =>
    this.#answer('roomMemberPayload', [roomId, id], () => {
      const room = this.#room(roomId);
      const member = room.members.find((one) => one.id === id);
      if (member === undefined) throw new Error(`no member ${id}`);
      return { id, name: member.name, roomAlias: room.aliases.get(id) ?? '', avatar: '' };
    });

  messagePayload = (id: string): Promise<object> =>
    this.#answer('messagePayload', [id], () => {
      const message = this.#message(id);
      const { from, text, type, mentions, at, file } = message;
      return {
        ...{ id, text, talkerId: from.id, timestamp: at, mentionIdList: mentions, type: messageType[type] },
        ...this.#world.listener(message),
        ...(file === undefined ? {} : { filename: file.name }),
      };
    });

  messageSendText = (chatId: string, text: string, mentions: readonly string[] = []): Promise<string> =>
    this.#answer('messageSendText', [chatId, text, mentions], () => {
      if (text.length > TEXT_MAX_CHARS) throw new Error(`a text of ${text.length} characters is too long`);
      return this.#said(chatId, { type: 'text', text, mentions }).id;
    });

  messageSendFile = (chatId: string, box: FileBoxInterface): Promise<string> =>
    this.#answer('messageSendFile', [chatId, box.name], async () => {
      const bytes = new Uint8Array(await box.toBuffer());
      const type = /\.(png|jpe?g|gif)$/i.test(box.name) ? 'image' : 'attachment';
      return this.#said(chatId, { type, text: '', mentions: [], file: { name: box.name, bytes } }).id;
    });

  messageFile = (id: string): Promise<FileBoxInterface> =>
    this.#answer('messageFile', [id], () => {
      const { file } = this.#message(id);
      if (file === undefined) throw new Error(`message ${id} has no file`);
      return FileBox.fromBuffer(Buffer.from(file.bytes), file.name);
    });

  messageUrl = (id: string): Promise<object> =>
    this.#answer('messageUrl', [id], () => {
      const { title = '', url = '', description = '' } = this.#card(id);
      return { title, url, description };
    });

  messageMiniProgram = (id: string): Promise<object> =>
    this.#answer('messageMiniProgram', [id], () => ({ title: this.#card(id).title ?? '' }));

  messageLocation = (id: string): Promise<object> =>
    this.#answer('messageLocation', [id], () => {
      const { latitude = 0, longitude = 0, address = '', title = '' } = this.#card(id);
      return { latitude, longitude, address, name: title, accuracy: 0 };
    });

  messageContact = (id: string): Promise<string> =>
    this.#answer('messageContact', [id], () => this.#card(id).contactId ?? '');

  /** The account says something, through the puppet or by its owner's phone; either way the puppet hears of it. */
  #said(chatId: string, content: Pick<Message, 'type' | 'text' | 'mentions' | 'file'>): Message {
    const message = this.#world.add({ ...content, chat: this.#world.chat(chatId), from: this.#world.account });
    this.emit('message', { messageId: message.id });
    return message;
  }

  #contact(id: string): Contact {
    const contact = this.#world.contacts.get(id);
    if (contact === undefined) throw new Error(`no contact ${id}`);
    return contact;
  }

  #room(id: string): Room {
    const room = this.#world.rooms.get(id);
    if (room === undefined) throw new Error(`no room ${id}`);
    return room;
  }

  #message(id: string): Message {
    const message = this.#world.messages.get(id);
    if (message === undefined) throw new Error(`no message ${id}`);
    if (isRoom(message.chat) && !this.#world.rooms.has(message.chat.id)) throw new Error('the room is gone');
    return message;
  }

  #card(id: string): Card {
    const { card } = this.#message(id);
    if (card === undefined) throw new Error(`message ${id} is no card`);
    return card;
  }
}
