import { waitForMessage } from '../../kit/wait-for.ts';
import { botApi } from './bot-api.ts';
import { Calls } from './calls.ts';
import { cdn } from './cdn.ts';
import { Faults } from './faults.ts';
import { Files } from './files.ts';
import { type IlinkLimits, ilinkLimits } from './limits.ts';
import { Logins } from './logins.ts';
import type { Bot, Chat, ChatMessage, Person } from './model.ts';
import { People } from './people.ts';
import { IlinkServer } from './server.ts';
import { type IlinkEvent, World } from './world.ts';

export type { Bot, Chat, ChatMessage, Person } from './model.ts';
export type { IlinkEvent } from './world.ts';

export interface IlinkOptions {
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly limits?: Partial<IlinkLimits>;
  /** Milliseconds since the epoch; the machine's clock by default. */
  readonly now?: () => number;
}

/**
 * WeChat's bot interface (iLink) on loopback: bots log in and talk at `url`, files lie at `cdnUrl`, people act through
 * `logins` (scanning codes) and `people`.
 *
 * @example
 * const wechat = await startIlink();
 * const ann = wechat.addPerson('Ann');
 * const bot = wechat.logins.confirm(await wechat.logins.code(), ann);
 * wechat.people.say(ann, bot, 'Hello');
 * await wechat.waitFor(wechat.chatOf(ann, bot), ({ fromBot }) => fromBot);
 * await wechat.stop();
 */
export interface IlinkSimulator {
  /** The API root, without a trailing slash. */
  readonly url: string;
  readonly cdnUrl: string;
  readonly logins: Logins;
  readonly people: People;
  readonly files: Pick<Files, 'forgetAll'>;
  readonly faults: Faults;
  readonly calls: Calls;
  readonly bots: readonly Bot[];
  addPerson(name: string): Person;
  chatOf(person: Person, bot: Bot): Chat;
  /** Logs a bot out, as WeChat does now and then: from now on its token is answered with -14. */
  endLogin(bot: Bot): void;
  subscribe(listener: (event: IlinkEvent) => void): () => void;
  /**
   * Resolves with the first message of the chat, present or to come, that satisfies `matches`.
   * @throws Error after `timeoutMs` (5 s by default), naming what the chat shows instead.
   */
  waitFor(chat: Chat, matches: (message: ChatMessage) => boolean, timeoutMs?: number): Promise<ChatMessage>;
  dropConnections(): void;
  stop(): Promise<void>;
}

/** Starts an iLink that nobody else uses. */
export async function startIlink(options: IlinkOptions = {}): Promise<IlinkSimulator> {
  const { host = '127.0.0.1', port = 0, now = () => Date.now() } = options;
  const world = new World({ ...ilinkLimits, ...options.limits }, now);
  const files = new Files();
  const faults = new Faults();
  const calls = new Calls();
  let url = '';
  const cdnUrl = (): string => `${url}/c2c`;
  const logins = new Logins(world, () => url);
  const api = botApi({ world, files, logins });
  const store = cdn(files);
  const route = (path: string) =>
    api.get(/^\/ilink\/bot\/(.+)$/.exec(path)?.[1] ?? '') ?? store.get(/^\/c2c\/(.+)$/.exec(path)?.[1] ?? '') ?? null;
  const server = new IlinkServer({ faults, calls, now, route });
  url = `http://${host}:${await server.listen(host, port)}`;

  return {
    ...{ url, logins, files, faults, calls },
    cdnUrl: cdnUrl(),
    people: new People({ world, files, cdnUrl }),
    bots: world.bots,
    addPerson: (name) => world.addPerson(name),
    chatOf: (person, bot) => world.chatOf(person, bot),
    endLogin: (bot) => {
      bot.token = '';
      world.emit({ type: 'ended', bot });
    },
    subscribe: (listener) => world.subscribe(listener),
    waitFor: (chat, matches, timeoutMs) => waitFor(world, chat, matches, timeoutMs),
    dropConnections: () => server.dropConnections(),
    stop: () => server.close(),
  };
}

function waitFor(
  world: World,
  chat: Chat,
  matches: (message: ChatMessage) => boolean,
  timeoutMs?: number,
): Promise<ChatMessage> {
  return waitForMessage({
    present: chat.messages.find(matches),
    subscribe: (look) =>
      world.subscribe((event) => {
        if (event.type === 'message' && event.chat === chat) look(event.message);
      }),
    matches,
    shown: () => chat.messages.map(({ fromBot, text }) => `${fromBot ? 'bot' : 'person'}: ${text.slice(0, 80)}`),
    timeoutMs,
  });
}
