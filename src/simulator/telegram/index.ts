import type { Signal } from '../kit/signal.ts';
import type { Bot } from './bot.ts';
import { Calls } from './calls.ts';
import type { Chat, Media, Message, User } from './chat.ts';
import type { ChatEvent } from './events.ts';
import { Faults } from './faults.ts';
import { floodOf } from './flood.ts';
import { type FloodLimits, type TelegramLimits, telegramLimits } from './limits.ts';
import { Params, type ParamValue } from './params.ts';
import { People } from './people.ts';
import { ApiServer } from './server.ts';
import {
  addBot,
  addGroup,
  addUser,
  type NewBot,
  type NewGroup,
  type NewMedia,
  type NewUser,
  newMedia,
  openPrivateChat,
} from './setup.ts';
import { preciseNow } from './time.ts';
import { waitFor } from './wait.ts';
import { World } from './world.ts';

export type { Bot } from './bot.ts';
export type { Chat, Message, User } from './chat.ts';
export { displayName } from './chat.ts';
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
  readonly events: Pick<Signal<ChatEvent>, 'subscribe'>;
  readonly chats: readonly Chat[];
  readonly bots: readonly Bot[];
  addUser(user: NewUser): User;
  addBot(bot: NewBot): Bot & { readonly token: string };
  /** The chat of a person with a bot, opened (as by pressing Start) when there is none. */
  openPrivateChat(user: User, bot: Bot): Chat;
  addGroup(group: NewGroup): Chat;
  /** Something to hand to `people.say(…, { media })`. */
  media(media: NewMedia): Media;
  /** The bytes of a file that somebody has sent. */
  contentOf(fileId: string): Uint8Array;
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
    contentOf: (fileId) => world.files.get(fileId).bytes,
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
