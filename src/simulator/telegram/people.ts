import {
  type Chat,
  chatToWire,
  displayName,
  followingId,
  type Media,
  type MemberStatus,
  type Message,
  type Topic,
  type User,
  userToWire,
} from './chat.ts';
import type { Press } from './events.ts';
import { withDetected } from './formatting/index.ts';
import { messageToWire } from './message-wire.ts';
import { unixSeconds } from './time.ts';
import type { WireEntity } from './wire.ts';
import type { World } from './world.ts';

export interface SayOptions {
  readonly replyTo?: Message;
  /** The part of the replied-to message that is quoted; must occur in it. */
  readonly quote?: string;
  readonly topic?: Topic;
  readonly media?: Media;
  /** Entities that Telegram would not find by itself, e.g. formatting. */
  readonly entities?: readonly WireEntity[];
  /** People picked from the list while typing: the first place of their first name becomes a `text_mention`. */
  readonly mention?: readonly User[];
  /** Further fields of the message, as the Bot API has them, e.g. `forward_origin`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

const nothing = { text: '', entities: [] };

/** What people do in Telegram: talk, press, come and go. */
export class People {
  readonly #world: World;
  #presses = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Says something; commands, mentions and links are recognised as the apps do. With media, `text` is the caption. */
  say(user: User, chat: Chat, text: string, options: SayOptions = {}): Message {
    const { replyTo, quote, topic, media, extra } = options;
    const mentions = (options.mention ?? []).flatMap((person) => mentionOf(text, person));
    return this.#world.post({
      chat,
      from: user,
      content: withDetected({ text, entities: [...(options.entities ?? []), ...mentions] }),
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(quote === undefined || replyTo === undefined ? {} : { quote: quoteOf(replyTo, quote) }),
      ...(topic === undefined ? {} : { topic }),
      ...(media === undefined ? {} : { media }),
      ...(extra === undefined ? {} : { extra }),
    });
  }

  edit(message: Message, text: string): void {
    this.#world.edit(message, { content: withDetected({ text, entities: [] }), keyboard: message.keyboard });
  }

  delete(message: Message): void {
    this.#world.remove(message);
  }

  react(user: User, message: Message, ...emoji: readonly string[]): void {
    this.#world.react(message, user, emoji);
  }

  /** Presses the button with this label or this data, as the message stands now. */
  press(user: User, message: Message, button: string): Press {
    const found = message.keyboard?.inline_keyboard
      .flat()
      .find(({ text, callback_data: data }) => text === button || data === button);
    const bot = this.#world.botOf(message.from.id);
    if (found === undefined || bot === undefined) throw new Error(`There is no button “${button}” on this message`);
    this.#presses += 1;
    const press: Press = {
      id: `${bot.user.id}${String(this.#presses).padStart(8, '0')}`,
      by: user,
      data: found.callback_data ?? '',
      at: this.#world.now(),
    };
    this.#world.presses.set(press.id, { bot, message, press });
    this.#world.events.emit({ type: 'pressed', chat: message.chat, message, press });
    bot.updates.push({
      callback_query: {
        id: press.id,
        from: userToWire(user),
        message: messageToWire(message),
        chat_instance: String(message.chat.id),
        data: press.data,
      },
    });
    return press;
  }

  join(user: User, chat: Chat, by: User = user): void {
    this.#setMember(chat, user, 'member', by);
    this.#service(chat, by, { new_chat_members: [userToWire(user)] });
  }

  leave(user: User, chat: Chat, by: User = user): void {
    this.#service(chat, by, { left_chat_member: userToWire(user) });
    this.#setMember(chat, user, by === user ? 'left' : 'kicked', by);
  }

  promote(user: User, chat: Chat, by: User): void {
    this.#setMember(chat, user, 'administrator', by);
  }

  /** The person blocks the bot of a private chat, which refuses further messages with 403. */
  block(chat: Chat): void {
    if (chat.person !== undefined && chat.bot !== undefined) this.#setMember(chat, chat.bot, 'kicked', chat.person);
  }

  unblock(chat: Chat): void {
    if (chat.person !== undefined && chat.bot !== undefined) this.#setMember(chat, chat.bot, 'member', chat.person);
  }

  openTopic(user: User, chat: Chat, name: string): Topic {
    const topic: Topic = { id: followingId(chat), name, closed: false, deleted: false };
    chat.topics.push(topic);
    this.#service(chat, user, { forum_topic_created: { name, icon_color: 7322096 } }, topic);
    return topic;
  }

  closeTopic(user: User, chat: Chat, topic: Topic): void {
    topic.closed = true;
    this.#service(chat, user, { forum_topic_closed: {} }, topic);
  }

  reopenTopic(user: User, chat: Chat, topic: Topic): void {
    topic.closed = false;
    this.#service(chat, user, { forum_topic_reopened: {} }, topic);
  }

  deleteTopic(topic: Topic): void {
    topic.deleted = true;
  }

  /** Turns a group into a supergroup with a new id, as happens when its settings ask for it. */
  migrate(user: User, group: Chat): Chat {
    const supergroup: Chat = {
      ...group,
      kind: 'supergroup',
      id: this.#world.nextChatId('supergroup'),
      members: new Map(group.members),
      messages: [],
      topics: [],
    };
    this.#world.chats.push(supergroup);
    this.#service(group, user, { migrate_to_chat_id: supergroup.id });
    group.migratedTo = supergroup.id;
    this.#service(supergroup, user, { migrate_from_chat_id: group.id });
    this.#world.events.emit({ type: 'migrated', chat: supergroup });
    return supergroup;
  }

  #service(chat: Chat, from: User, service: Readonly<Record<string, unknown>>, topic?: Topic): Message {
    return this.#world.post({ chat, from, content: nothing, service, ...(topic === undefined ? {} : { topic }) });
  }

  #setMember(chat: Chat, user: User, status: MemberStatus, by: User): void {
    const before = chat.members.get(user.id)?.status ?? 'left';
    chat.members.set(user.id, { user, status });
    this.#world.events.emit({ type: 'members', chat });
    const wire = (value: MemberStatus): object => ({ user: userToWire(user), status: value });
    const change = {
      chat: chatToWire(chat),
      from: userToWire(by),
      date: unixSeconds(this.#world.now()),
      old_chat_member: wire(before),
      new_chat_member: wire(status),
    };
    for (const bot of this.#world.bots)
      if (bot.user.id === user.id) bot.updates.push({ my_chat_member: change });
      else if (chat.members.get(bot.user.id)?.status === 'administrator') bot.updates.push({ chat_member: change });
  }
}

function mentionOf(text: string, person: User): WireEntity[] {
  const name = [displayName(person), person.firstName].find((candidate) => text.includes(candidate));
  if (name === undefined) return [];
  return [{ type: 'text_mention', offset: text.indexOf(name), length: name.length, user: userToWire(person) }];
}

function quoteOf(message: Message, quote: string): { text: string; position: number; is_manual: true } {
  const position = message.content.text.indexOf(quote);
  if (position === -1) throw new Error(`The message does not contain “${quote}”`);
  return { text: quote, position, is_manual: true };
}
