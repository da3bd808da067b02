import { type App, type Chat, isRecord, type Mention, type Message, type User } from './model.ts';
import { elementsOf, shownText } from './text.ts';
import type { Receipt } from './transport/index.ts';
import { operatorIds } from './wire.ts';
import type { World } from './world.ts';

export interface SayOptions {
  /** Quotes a message; in a thread, stays in it. */
  readonly replyTo?: Message;
  /** Answers `replyTo` in a thread, opening one when there is none. */
  readonly inThread?: boolean;
  /** Milliseconds since the epoch; now by default. */
  readonly at?: number;
}

/** What people do in Feishu: talk, react, press, come and go. */
export class People {
  readonly #world: World;
  readonly #callback: (app: App, type: string, event: object) => Promise<Receipt>;

  constructor(world: World, callback: (app: App, type: string, event: object) => Promise<Receipt>) {
    this.#world = world;
    this.#callback = callback;
  }

  /** Says something; `@name` of who is in the chat becomes a mention, `@all` one of everybody. */
  say(user: User, chat: Chat, text: string, options: SayOptions = {}): Message {
    const { marked, mentions } = markMentions(text, chat);
    return this.send(user, chat, 'text', { text: marked }, { ...options, mentions });
  }

  /** Sends a message of any kind, its content as the platform has it. */
  send(
    user: User | App,
    chat: Chat,
    type: string,
    content: unknown,
    options: SayOptions & { readonly mentions?: readonly Mention[]; readonly children?: readonly Message[] } = {},
  ): Message {
    const { replyTo, inThread, at, mentions, children } = options;
    return this.#world.post({
      chat,
      from: user,
      type,
      content: typeof content === 'string' ? content : JSON.stringify(content),
      ...(at === undefined ? {} : { at }),
      ...(mentions === undefined ? {} : { mentions }),
      ...(children === undefined ? {} : { children }),
      ...placeOfReply(this.#world, chat, replyTo, inThread),
    });
  }

  recall(user: User, message: Message): void {
    this.#world.recall(message, user);
  }

  react(user: User, message: Message, emoji: string): void {
    message.reactions.push({ id: this.#world.id('re'), emoji, by: user });
    this.#reacted(user, message, emoji, 'im.message.reaction.created_v1');
  }

  /** Takes a reaction away again. */
  unreact(user: User, message: Message, emoji: string): void {
    const index = message.reactions.findIndex((reaction) => reaction.by === user && reaction.emoji === emoji);
    if (index < 0) throw new Error(`${user.name} has not reacted with ${emoji}`);
    message.reactions.splice(index, 1);
    this.#reacted(user, message, emoji, 'im.message.reaction.deleted_v1');
  }

  #reacted(user: User, message: Message, emoji: string, type: string): void {
    this.#world.events.emit({ type: 'reaction', chat: message.chat, message });
    const event = {
      message_id: message.id,
      reaction_type: { emoji_type: emoji },
      operator_type: 'user',
      user_id: operatorIds(user),
      action_time: String(this.#world.now()),
    };
    for (const app of message.chat.apps) this.#world.push(app, type, event);
  }

  /** Presses the button with this label on a card; resolves with what the app answered within its three seconds. */
  async press(user: User, message: Message, label: string): Promise<Receipt> {
    const card = message.card;
    const button = elementsOf(card?.json ?? {}).find(
      (element) => element.tag === 'button' && isRecord(element.text) && element.text.content === label,
    );
    if (card === undefined || button === undefined) throw new Error(`There is no button “${label}” on this message`);
    const behaviors = Array.isArray(button.behaviors) ? button.behaviors.filter(isRecord) : [];
    const value: unknown = behaviors.find(({ type }) => type === 'callback')?.value ?? button.value;
    return this.act(user, message, { tag: 'button', value, name: button.name });
  }

  /** Sends any action of a card, e.g. a submitted form. */
  async act(user: User, message: Message, action: object): Promise<Receipt> {
    const app = message.card?.app;
    if (app === undefined) throw new Error('This message is no card of an app');
    return this.#callback(app, 'card.action.trigger', {
      operator: { tenant_key: user.tenantKey, ...operatorIds(user) },
      token: this.#world.id('c'),
      action,
      host: 'im_message',
      context: { open_message_id: message.id, open_chat_id: message.chat.id },
    });
  }

  /** Chooses an entry of the bot's menu. */
  chooseMenu(user: User, app: App, key: string): void {
    this.#world.push(app, 'application.bot.menu_v6', {
      operator: { operator_name: user.name, operator_id: operatorIds(user) },
      event_key: key,
      timestamp: this.#world.now(),
    });
  }

  /** Opens the direct chat. */
  enter(user: User, chat: Chat): void {
    const last = chat.messages.at(-1);
    const event = {
      chat_id: chat.id,
      operator_id: operatorIds(user),
      ...(last === undefined ? {} : { last_message_id: last.id, last_message_create_time: String(last.at) }),
    };
    for (const app of chat.apps) this.#world.push(app, 'im.chat.access_event.bot_p2p_chat_entered_v1', event);
  }

  /** Brings somebody into a group. */
  addPerson(user: User, chat: Chat, added: User): void {
    if (!chat.users.includes(added)) chat.users.push(added);
    this.#comingOrGoing(user, chat, added, 'im.chat.member.user.added_v1');
  }

  removePerson(user: User, chat: Chat, removed: User): void {
    const index = chat.users.indexOf(removed);
    if (index >= 0) chat.users.splice(index, 1);
    this.#comingOrGoing(user, chat, removed, 'im.chat.member.user.deleted_v1');
  }

  #comingOrGoing(user: User, chat: Chat, other: User, type: string): void {
    this.#world.events.emit({ type: 'members', chat });
    const users = [{ name: other.name, tenant_key: other.tenantKey, user_id: operatorIds(other) }];
    const event = { chat_id: chat.id, operator_id: operatorIds(user), external: false, name: chat.title, users };
    for (const app of chat.apps) this.#world.push(app, type, { ...event, operator_tenant_key: user.tenantKey });
  }

  addBot(user: User, chat: Chat, app: App): void {
    if (!chat.apps.includes(app)) chat.apps.push(app);
    this.#membership(user, chat, app, 'im.chat.member.bot.added_v1');
  }

  removeBot(user: User, chat: Chat, app: App): void {
    const index = chat.apps.indexOf(app);
    if (index >= 0) chat.apps.splice(index, 1);
    this.#membership(user, chat, app, 'im.chat.member.bot.deleted_v1');
  }

  /** Closes a group: nobody can write in it any more. */
  disband(user: User, chat: Chat): void {
    chat.disbanded = true;
    for (const app of chat.apps) this.#membership(user, chat, app, 'im.chat.disbanded_v1');
  }

  #membership(user: User, chat: Chat, app: App, type: string): void {
    this.#world.events.emit({ type: 'members', chat });
    this.#world.push(app, type, {
      chat_id: chat.id,
      operator_id: operatorIds(user),
      external: false,
      operator_tenant_key: user.tenantKey,
      name: chat.title,
    });
  }

  /** What people read of a message. */
  text(message: Message): string {
    return shownText(message);
  }
}

/** Where a reply stands: its root and parent, and the thread it is in or opens. */
export function placeOfReply(
  world: World,
  chat: Chat,
  replyTo: Message | undefined,
  inThread = false,
): Pick<Message, 'rootId' | 'parentId' | 'threadId'> {
  if (replyTo === undefined) return chat.kind === 'topic' ? { threadId: world.id('omt') } : {};
  if ((inThread || chat.kind === 'topic') && replyTo.threadId === undefined) replyTo.threadId = world.id('omt');
  const threadId = replyTo.threadId;
  return {
    rootId: replyTo.rootId ?? replyTo.id,
    parentId: replyTo.id,
    ...(threadId === undefined ? {} : { threadId }),
  };
}

function markMentions(text: string, chat: Chat): { readonly marked: string; readonly mentions: Mention[] } {
  const mentions: Mention[] = [];
  const members = [...chat.apps, ...chat.users].toSorted((a, b) => b.name.length - a.name.length);
  let marked = text.replaceAll('@all', '@_all');
  for (const { name, openId } of members) {
    if (!marked.includes(`@${name}`)) continue;
    const key = `@_user_${mentions.length + 1}`;
    mentions.push({ key, openId, name });
    marked = marked.replaceAll(`@${name}`, key);
  }
  return { marked, mentions };
}
