import type { Bot } from './bot.ts';
import { Calls } from './calls.ts';
import type { Chat, Media, MemberStatus, Message, User } from './chat.ts';
import type { ChatEvent, Events } from './events.ts';
import { Faults } from './faults.ts';
import { Flood } from './flood.ts';
import { type FloodLimits, floodLimits, type TelegramLimits, telegramLimits } from './limits.ts';
import { mediaFields } from './media.ts';
import { Params, type ParamValue } from './params.ts';
import { People } from './people.ts';
import { ApiServer } from './server.ts';
import { preciseNow } from './time.ts';
import { UpdateQueue } from './update-queue.ts';
import { Webhook } from './webhook.ts';
import { World } from './world.ts';

export type { Bot } from './bot.ts';
export type { CallRecord } from './calls.ts';
export type { Chat, Message, Topic, User } from './chat.ts';
export { displayName } from './chat.ts';
export type { ChatEvent, Press } from './events.ts';
export type { Fault } from './faults.ts';
export type { WireEntity } from './wire.ts';

export interface TelegramOptions {
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly limits?: Partial<TelegramLimits>;
  /** Flood control, off by default; `true` for Telegram's published numbers. */
  readonly flood?: boolean | Partial<FloodLimits>;
  /** Milliseconds since the epoch; the machine's clock by default. */
  readonly now?: () => number;
}

export interface NewUser {
  readonly firstName: string;
  readonly lastName?: string;
  readonly username?: string;
  readonly language?: string;
  readonly id?: number;
}

export interface NewBot {
  readonly username: string;
  readonly name?: string;
  /** Made up when absent. */
  readonly token?: string;
  /** Privacy mode, on by default as with a new bot. */
  readonly privacy?: boolean;
}

export interface NewGroup {
  readonly title: string;
  /** `supergroup` by default. */
  readonly kind?: 'group' | 'supergroup';
  /** A supergroup with topics. */
  readonly forum?: boolean;
  /** Makes it public as `@username`. */
  readonly username?: string;
  /** The first one is its creator. */
  readonly members: readonly (User | Bot)[];
}

export interface NewMedia {
  readonly kind: Media['kind'];
  readonly bytes?: Uint8Array;
  readonly name?: string;
  readonly mime?: string;
  /** What Telegram says its size is, when `bytes` is only a stand-in. */
  readonly size?: number;
  /** Items with the same group are one album. */
  readonly group?: string;
}

/**
 * A Telegram on loopback: bots talk to `url` by the Bot API, people act through `people`.
 *
 * @example
 * const telegram = await startTelegram();
 * const bot = telegram.addBot({ username: 'antler_bot' });
 * const ann = telegram.addUser({ firstName: 'Ann', language: 'en' });
 * const chat = telegram.openPrivateChat(ann, bot);
 * telegram.people.say(ann, chat, 'Hello');
 * await telegram.waitFor(chat, ({ from }) => from.isBot);
 * await telegram.stop();
 */
export interface TelegramSimulator {
  /** The API root, without a trailing slash. */
  readonly url: string;
  readonly people: People;
  readonly faults: Faults;
  readonly calls: Calls;
  readonly events: Pick<Events, 'subscribe'>;
  readonly chats: readonly Chat[];
  readonly bots: readonly Bot[];
  addUser(user: NewUser): User;
  addBot(bot: NewBot): Bot & { readonly token: string };
  /** The chat of a person with a bot, opened (as by pressing Start) when there is none. */
  openPrivateChat(user: User, bot: Bot): Chat;
  addGroup(group: NewGroup): Chat;
  /** Something to hand to `people.say(…, { media })`. */
  media(media: NewMedia): Media;
  /** What people see in a chat now, oldest first; deleted messages are gone. */
  visible(chat: Chat): readonly Message[];
  /** Gives a bot an update as it is, e.g. `{ business_message: … }`. */
  inject(bot: Bot, update: Readonly<Record<string, unknown>>): void;
  /**
   * Resolves with the first message of the chat, present or to come, that satisfies `matches`; edits count too.
   * @throws Error after `timeoutMs` (5 s by default), naming what the chat shows instead.
   */
  waitFor(chat: Chat, matches: (message: Message) => boolean, timeoutMs?: number): Promise<Message>;
  dropConnections(): void;
  stop(): Promise<void>;
}

/** Starts a Telegram that nobody else is in. */
export async function startTelegram(options: TelegramOptions = {}): Promise<TelegramSimulator> {
  const { host = '127.0.0.1', port = 0, now = preciseNow } = options;
  const world = new World({ ...telegramLimits, ...options.limits }, now);
  const faults = new Faults();
  const calls = new Calls();
  const flood = floodOf(options.flood, now);
  const server = new ApiServer({ world, faults, calls, flood });
  const url = `http://${host}:${await server.listen(host, port)}`;
  const runForWebhook = async (bot: Bot, answer: Readonly<Record<string, unknown>>): Promise<void> => {
    const { method, ...params } = answer;
    // The caller of a method in a webhook's answer never learns how it ended.
    await server.run(bot, String(method), new Params(params as Record<string, ParamValue>)).catch(() => {});
  };

  return {
    url,
    people: new People(world),
    faults,
    calls,
    events: world.events,
    chats: world.chats,
    bots: world.bots,
    addUser: (user) => addUser(world, user),
    addBot: (bot) => addBot(world, bot, runForWebhook),
    openPrivateChat: (user, bot) => openPrivateChat(world, user, bot),
    addGroup: (group) => addGroup(world, group),
    media: (media) => newMedia(world, media),
    visible: (chat) => chat.messages.filter(({ deletedAt }) => deletedAt === undefined),
    inject: (bot, update) => void bot.updates.push(update),
    waitFor: (chat, matches, timeoutMs) => waitFor(world, chat, matches, timeoutMs),
    dropConnections: () => server.dropConnections(),
    stop: async () => {
      for (const { updates, webhook } of world.bots) {
        webhook.clear();
        updates.close();
      }
      await server.close();
    },
  };
}

function floodOf(setting: TelegramOptions['flood'], now: () => number): (bot: Bot) => Flood | undefined {
  if (setting === undefined || setting === false) return () => undefined;
  const limits = { ...floodLimits, ...(setting === true ? {} : setting) };
  const byBot = new WeakMap<Bot, Flood>();
  return (bot) => {
    const flood = byBot.get(bot) ?? new Flood(limits, now);
    byBot.set(bot, flood);
    return flood;
  };
}

function addUser(world: World, { id = world.nextUserId(), ...profile }: NewUser): User {
  const user: User = { id, isBot: false, ...profile };
  world.users.push(user);
  return user;
}

function addBot(
  world: World,
  { username, name = username, token, privacy = true }: NewBot,
  onAnswer: (bot: Bot, answer: Readonly<Record<string, unknown>>) => Promise<void>,
): Bot & { readonly token: string } {
  const id = token === undefined ? world.nextUserId() : Number(token.split(':')[0]);
  const secret = token ?? `${id}:SIMULATED-${'x'.repeat(25)}`;
  // Numbers start anywhere; far from zero, so that nobody takes one for a message id.
  const updates = new UpdateQueue(100_000_001 + world.bots.length * 1000);
  const bot: Bot & { readonly token: string } = {
    user: { id, isBot: true, firstName: name, username },
    token: secret,
    privacy,
    updates,
    webhook: new Webhook(updates, world.limits, (answer) => onAnswer(bot, answer)),
    commands: new Map(),
  };
  world.bots.push(bot);
  return bot;
}

const emptyChat = { forum: false, topics: [], readOnly: false };

function openPrivateChat(world: World, person: User, { user: bot }: Bot): Chat {
  const known = world.chats.find((chat) => chat.person?.id === person.id && chat.bot?.id === bot.id);
  if (known !== undefined) return known;
  const chat: Chat = {
    ...emptyChat,
    kind: 'private',
    id: person.id,
    title: person.firstName,
    topics: [],
    messages: [],
    members: new Map([person, bot].map((user) => [user.id, { user, status: 'member' as const }])),
    person,
    bot,
  };
  world.chats.push(chat);
  return chat;
}

function addGroup(world: World, { title, kind = 'supergroup', forum = false, username, members }: NewGroup): Chat {
  const users = members.map((member) => ('user' in member ? member.user : member));
  const status = (index: number): MemberStatus => (index === 0 ? 'creator' : 'member');
  const chat: Chat = {
    ...emptyChat,
    kind,
    id: world.nextChatId(kind),
    title,
    forum,
    topics: [],
    messages: [],
    members: new Map(users.map((user, index) => [user.id, { user, status: status(index) }])),
    ...(username === undefined ? {} : { username }),
  };
  world.chats.push(chat);
  return chat;
}

function newMedia(world: World, { kind, bytes = new Uint8Array([0]), name = '', mime, size, group }: NewMedia): Media {
  const file = world.files.add({
    name,
    mime: mime ?? 'application/octet-stream',
    bytes,
    folder: `${kind}s`,
    ...(size === undefined ? {} : { size }),
  });
  return { kind, fields: mediaFields(kind, file), ...(group === undefined ? {} : { group }) };
}

async function waitFor(
  world: World,
  chat: Chat,
  matches: (message: Message) => boolean,
  timeoutMs = 5_000,
): Promise<Message> {
  const present = chat.messages.find((message) => message.deletedAt === undefined && matches(message));
  if (present !== undefined) return present;
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const unsubscribe = world.events.subscribe((event: ChatEvent) => {
    if ('message' in event && event.chat === chat && event.type !== 'delete' && matches(event.message))
      resolve(event.message);
  });
  const timer = setTimeout(() => {
    const shown = chat.messages.map(({ from, content }) => `${from.firstName}: ${content.text.slice(0, 80)}`);
    reject(new Error(`No such message came within ${timeoutMs} ms; the chat shows:\n${shown.join('\n')}`));
  }, timeoutMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    unsubscribe();
  }
}
