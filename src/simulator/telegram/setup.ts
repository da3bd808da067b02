import type { Bot } from './bot.ts';
import type { Chat, Media, MemberStatus, User } from './chat.ts';
import { mediaFields } from './media.ts';
import { UpdateQueue } from './update-queue.ts';
import { Webhook } from './webhook.ts';
import type { World } from './world.ts';

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

/** A new account of a person. */
export function addUser(world: World, { id = world.nextUserId(), ...profile }: NewUser): User {
  const user: User = { id, isBot: false, ...profile };
  world.users.push(user);
  return user;
}

/** A new bot; `onAnswer` runs the method that a webhook answers with. */
export function addBot(
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

/** The chat of a person with a bot; made when there is none. */
export function openPrivateChat(world: World, person: User, { user: bot }: Bot): Chat {
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

/** A new group, in which everybody is from the start, without service messages. */
export function addGroup(
  world: World,
  { title, kind = 'supergroup', forum = false, username, members }: NewGroup,
): Chat {
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

/** A file as a person uploads it. */
export function newMedia(
  world: World,
  { kind, bytes = new Uint8Array([0]), name = '', mime, size, group }: NewMedia,
): Media {
  const file = world.files.add({
    name,
    mime: mime ?? 'application/octet-stream',
    bytes,
    folder: `${kind}s`,
    ...(size === undefined ? {} : { size }),
  });
  return { kind, fields: mediaFields(kind, file), ...(group === undefined ? {} : { group }) };
}
