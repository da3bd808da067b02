import { randomBytes } from 'node:crypto';
import { CallLog } from '../kit/call-log.ts';
import type { Signal } from '../kit/signal.ts';
import { waitForMessage } from '../kit/wait-for.ts';
import { createApi } from './api.ts';
import { Callbacks } from './callbacks.ts';
import type { CallRecord } from './calls.ts';
import { Faults } from './faults.ts';
import { type WecomLimits, wecomLimits } from './limits.ts';
import type { App, Bot, Chat, Message, Person, Push, WecomEvent } from './model.ts';
import { People } from './people.ts';
import { createServer } from './server.ts';
import { Sockets } from './sockets.ts';
import { World } from './world.ts';

export type { App, Bot, Chat, Message, Person, Push } from './model.ts';

export interface WecomOptions {
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly limits?: Partial<WecomLimits>;
  /** Enforces the published rates; off by default. */
  readonly flood?: boolean;
  /** Milliseconds since the epoch; the machine's clock by default. */
  readonly now?: () => number;
}

/**
 * A WeCom on loopback: AI bots connect to `wsUrl` or are called back, apps are called back and call `url`; people act
 * through `people`.
 *
 * @example
 * const wecom = await startWecom();
 * const bot = wecom.addBot('Antler');
 * const ann = wecom.addPerson('Ann');
 * const chat = wecom.openDirectChat(ann, bot);
 * wecom.people.say(ann, chat, 'Hello');
 * await wecom.waitFor(chat, ({ fromBot }) => fromBot);
 * await wecom.stop();
 */
export interface WecomSimulator {
  /** What goes into the setting `api_root`. */
  readonly url: string;
  /** What goes into the setting `ws_url`. */
  readonly wsUrl: string;
  readonly people: People;
  readonly faults: Faults;
  readonly calls: CallLog<CallRecord>;
  readonly sockets: Pick<Sockets, 'isConnected' | 'kick' | 'cut' | 'sendRaw'>;
  readonly callbacks: Pick<Callbacks, 'receipts' | 'asks' | 'call'>;
  readonly events: Pick<Signal<WecomEvent>, 'subscribe'>;
  readonly chats: readonly Chat[];
  /** Everything that bots and apps were told, newest last. */
  readonly pushes: readonly Push[];
  addPerson(name: string, userId?: string): Person;
  addBot(name: string): Bot;
  addApp(name: string): App;
  openDirectChat(person: Person, one: Bot | App): Chat;
  addGroup(group: { readonly title: string; readonly people: readonly Person[]; readonly bot: Bot }): Chat;
  /** Calls this address from now on; rejects unless it answers as WeCom wants it. */
  register(one: Bot | App, url: string): Promise<void>;
  /** Tells something once more, as after a lost acknowledgement. */
  redeliver(push: Push): void;
  /** All of an app's tokens so far are refused from now on. */
  expireTokens(app: App): void;
  /** What people see in a chat now, oldest first. */
  visible(chat: Chat): readonly Message[];
  /**
   * Resolves with the first message of the chat, present or to come, that satisfies `matches`; edits count too.
   * @throws Error after `timeoutMs` (5 s by default), naming what the chat shows instead.
   */
  waitFor(chat: Chat, matches: (message: Message) => boolean, timeoutMs?: number): Promise<Message>;
  dropConnections(): void;
  stop(): Promise<void>;
}

const PUSHES_KEPT = 1_000;

/** Starts a WeCom that nobody else is in. */
export async function startWecom(options: WecomOptions = {}): Promise<WecomSimulator> {
  const { host = '127.0.0.1', port = 0, now = Date.now, flood = false } = options;
  const world = new World({ ...wecomLimits, ...options.limits }, now);
  const faults = new Faults();
  const calls = new CallLog<CallRecord>();
  const sockets = new Sockets(world, faults, calls);
  const callbacks = new Callbacks(world);
  const encrypted = new Map<string, { readonly name: string; readonly content: Uint8Array }>();
  const server = createServer({
    routes: createApi(world, flood),
    download: (id) => encrypted.get(id),
    doorkeeper: sockets.doorkeeper,
    ...{ faults, calls, now },
  });
  const address = `${host}:${await server.listen(host, port)}`;
  const url = `http://${address}`;
  callbacks.base = url;
  const pushes: Push[] = [];
  const deliver = (push: Push): void => (push.to.url === undefined ? sockets.deliver(push) : callbacks.deliver(push));
  world.pushes.subscribe((push) => {
    pushes.push(push);
    if (pushes.length > PUSHES_KEPT) pushes.shift();
    deliver(push);
  });
  const visible = (chat: Chat): readonly Message[] =>
    chat.messages.filter(({ recalledAt }) => recalledAt === undefined);

  return {
    url,
    wsUrl: `ws://${address}`,
    ...{ faults, calls, sockets, callbacks, pushes, visible },
    people: new People(world, encrypted, () => url),
    events: world.events,
    chats: world.chats,
    addPerson: (name, userId = world.id('user')) => {
      const person = { userId, name };
      world.people.push(person);
      return person;
    },
    addBot: (name) => {
      const bot: Bot = {
        kind: 'bot',
        id: world.id('aib'),
        secret: randomBytes(12).toString('hex'),
        name,
        ...newKeys(),
      };
      world.bots.push(bot);
      return bot;
    },
    addApp: (name) => {
      const ids = { corpId: world.id('ww'), agentId: String(1_000_002 + world.apps.length) };
      const secret = randomBytes(16).toString('hex');
      const app: App = {
        kind: 'app',
        ...ids,
        secret,
        name,
        ...newKeys(),
        trustsNobody: { now: false },
        tokens: new Map(),
      };
      world.apps.push(app);
      return app;
    },
    openDirectChat: (person, one) => {
      const known = world.chatWith(one, person.userId);
      if (known !== undefined) return known;
      const chat: Chat = { id: person.userId, kind: 'dm', title: one.name, people: [person], with: one, messages: [] };
      world.chats.push(chat);
      return chat;
    },
    addGroup: ({ title, people, bot }) => {
      const chat: Chat = { id: world.id('wrgroup'), kind: 'group', title, people, with: bot, messages: [] };
      world.chats.push(chat);
      return chat;
    },
    register: (one, to) => callbacks.register(one, to),
    redeliver: deliver,
    expireTokens: ({ tokens }) => {
      for (const token of tokens.keys()) tokens.set(token, 0);
    },
    waitFor: (chat, matches, timeoutMs) =>
      waitForMessage({
        present: visible(chat).find(matches),
        subscribe: (look) =>
          world.events.subscribe((event) => {
            if (event.type !== 'typing' && event.chat === chat && event.message.recalledAt === undefined)
              look(event.message);
          }),
        matches,
        shown: () => visible(chat).map(({ fromBot, text }) => `${fromBot ? 'bot' : 'person'}: ${text.slice(0, 80)}`),
        timeoutMs,
      }),
    dropConnections: () => server.dropConnections(),
    stop: async () => {
      await callbacks.stop();
      await server.close();
    },
  };
}

const newKeys = () => ({
  token: randomBytes(8).toString('hex'),
  aesKey: randomBytes(32).toString('base64').slice(0, 43),
});
