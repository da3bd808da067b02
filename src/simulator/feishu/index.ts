import { createHash } from 'node:crypto';
import { CallLog } from '../kit/call-log.ts';
import { Faults } from '../kit/faults.ts';
import type { Signal } from '../kit/signal.ts';
import { waitForMessage } from '../kit/wait-for.ts';
import type { ChatEvent, Push } from './events.ts';
import type { Fault } from './faults.ts';
import { Flood } from './flood.ts';
import { type FeishuLimits, feishuLimits } from './limits.ts';
import type { App, Chat, Department, Message, User } from './model.ts';
import { People } from './people.ts';
import { ApiServer, type CallRecord } from './server.ts';
import { shownText } from './text.ts';
import { Dispatcher, type Receipt } from './transport/index.ts';
import { LongConnections, type Mischief } from './transport/long-connections.ts';
import { type WebhookSettings, Webhooks } from './transport/webhooks.ts';
import { type StoredFile, World } from './world.ts';

export type { App, Chat, Message, User } from './model.ts';
export type { Receipt } from './transport/index.ts';

export interface FeishuOptions {
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly limits?: Partial<FeishuLimits>;
  /** Enforces the published rates; off by default. */
  readonly flood?: boolean;
  /** The HTTP status of refusals; the platform uses both. Default: 200. */
  readonly refusalStatus?: 200 | 400;
  /** Milliseconds since the epoch; the machine's clock by default. */
  readonly now?: () => number;
}

/**
 * A Feishu on loopback: apps talk to `url` by the open API and its long connection or get webhooks, people act
 * through `people`.
 *
 * @example
 * const feishu = await startFeishu();
 * const app = feishu.addApp({ name: 'Antler' });
 * const ann = feishu.addUser('Ann');
 * const chat = feishu.openDirectChat(ann, app);
 * feishu.people.say(ann, chat, 'Hello');
 * await feishu.waitFor(chat, ({ from }) => from === app);
 * await feishu.stop();
 */
export interface FeishuSimulator {
  /** What goes into the setting `domain`. */
  readonly url: string;
  readonly people: People;
  readonly faults: Faults<Fault>;
  readonly calls: CallLog<CallRecord>;
  readonly events: Pick<Signal<ChatEvent>, 'subscribe'>;
  readonly connections: LongConnections;
  readonly mischief: Mischief;
  readonly chats: readonly Chat[];
  /** Every event that was pushed, newest last. */
  readonly pushes: readonly Push[];
  addApp(app?: Partial<Pick<App, 'name' | 'hears' | 'tenantKey'>>): App;
  addUser(name: string, tenantKey?: string): User;
  addDepartment(name: string, parent?: Department): Department;
  openDirectChat(user: User, app: App): Chat;
  addGroup(group: { title: string; users: User[]; apps: App[]; topics?: boolean }): Chat;
  /** Keeps a file as if somebody had uploaded it; its key goes into a message's content. */
  addFile(file: Omit<StoredFile, 'key'>): string;
  /** The bytes of a file by its key. */
  contentOf(key: string): Uint8Array | undefined;
  /** The file that a message carries, if it carries one. */
  file(message: Message): StoredFile | undefined;
  /** Sends an app's events to an address from now on; rejects unless the address answers the challenge. */
  setWebhook(app: App, settings: WebhookSettings): Promise<void>;
  /** Pushes an event of any kind, e.g. one that the simulator's people cannot cause. */
  push(app: App, type: string, event: object): Push;
  /** Pushes an event once more, as after a lost acknowledgement. */
  redeliver(push: Push): void;
  /** Hands an event over as a callback and waits for the app's answer. */
  callback(app: App, type: string, event: object): Promise<Receipt>;
  /** All tokens so far are refused from now on. */
  revokeTokens(app: App): void;
  /** What people see in a chat now, oldest first; recalled messages are gone. */
  visible(chat: Chat): readonly Message[];
  /** What people read of a message. */
  text(message: Message): string;
  /**
   * Resolves with the first message of the chat, present or to come, that satisfies `matches`; edits count too.
   * @throws Error after `timeoutMs` (5 s by default), naming what the chat shows instead.
   */
  waitFor(chat: Chat, matches: (message: Message) => boolean, timeoutMs?: number): Promise<Message>;
  dropConnections(): void;
  stop(): Promise<void>;
}

const TENANT = '2ed263bf32cf1651';

/** Starts a Feishu that nobody else is in. */
export async function startFeishu(options: FeishuOptions = {}): Promise<FeishuSimulator> {
  const { host = '127.0.0.1', port = 0, now = Date.now, refusalStatus = 200 } = options;
  const world = new World({ ...feishuLimits, ...options.limits }, now);
  const faults = new Faults<Fault>();
  const calls = new CallLog<CallRecord>();
  const connections = new LongConnections(world);
  const webhooks = new Webhooks(world);
  const dispatcher = new Dispatcher(world, connections, webhooks);
  const flood = options.flood === true ? new Flood(now) : undefined;
  const server = new ApiServer({ world, connections, faults, calls, flood, refusalStatus });
  const url = `http://${host}:${await server.listen(host, port)}`;
  const callback = (app: App, type: string, event: object): Promise<Receipt> => {
    const header = {
      event_id: world.id('ev').slice(3),
      event_type: type,
      create_time: String(now() * 1_000),
      app_id: app.appId,
      tenant_key: app.tenantKey,
    };
    return dispatcher.callback({ app, id: header.event_id, type, envelope: { schema: '2.0', header, event } });
  };

  return {
    url,
    people: new People(world, callback),
    faults,
    calls,
    events: world.events,
    connections,
    mischief: connections.mischief,
    chats: world.chats,
    pushes: dispatcher.pushes,
    addApp: ({ name = 'Antler', hears = 'all', tenantKey = TENANT } = {}) => {
      const appId = `cli_${createHash('sha256').update(world.id('app')).digest('hex').slice(0, 16)}`;
      const app: App = {
        appId,
        secret: `secret-of-${appId}`,
        openId: world.id('ou'),
        name,
        tenantKey,
        hears,
        lacks: new Set(),
        tokens: new Map(),
      };
      world.apps.push(app);
      return app;
    },
    addUser: (name, tenantKey = TENANT) => {
      const user = {
        openId: world.id('ou'),
        unionId: world.id('on'),
        userId: world.id('u').slice(2, 12),
        name,
        tenantKey,
        departments: [],
      };
      world.users.push(user);
      return user;
    },
    addDepartment: (name, parent) => {
      const department = { id: world.id('od').replace('_', '-'), name, ...(parent === undefined ? {} : { parent }) };
      world.departments.push(department);
      return department;
    },
    openDirectChat: (user, app) => {
      const known = world.chats.find(
        ({ kind, users, apps }) => kind === 'p2p' && users.includes(user) && apps.includes(app),
      );
      return known ?? newChat(world, 'p2p', '', [user], [app]);
    },
    addGroup: ({ title, users, apps, topics = false }) =>
      newChat(world, topics ? 'topic' : 'group', title, users, apps),
    addFile: (file) => {
      const key = world.id(file.kind === 'image' ? 'img_v3' : 'file_v3');
      world.files.set(key, { ...file, key });
      return key;
    },
    contentOf: (key) => world.files.get(key)?.bytes,
    file: ({ content }) => [...world.files.values()].find(({ key }) => content.includes(key)),
    setWebhook: async (app, settings) => {
      await webhooks.set(app, settings);
      dispatcher.flush(app);
    },
    push: (app, type, event) => world.push(app, type, event),
    redeliver: (push) => dispatcher.redeliver(push),
    callback,
    revokeTokens: ({ tokens }) => tokens.clear(),
    visible: (chat) => chat.messages.filter(({ recalledAt }) => recalledAt === undefined),
    text: shownText,
    waitFor: (chat, matches, timeoutMs) => waitFor(world, chat, matches, timeoutMs),
    dropConnections: () => server.dropConnections(),
    stop: async () => {
      dispatcher.stop();
      webhooks.stop();
      await server.close();
    },
  };
}

function newChat(world: World, kind: Chat['kind'], title: string, users: User[], apps: App[]): Chat {
  const chat: Chat = {
    id: world.id('oc'),
    kind,
    title,
    users: [...users],
    apps: [...apps],
    messages: [],
    disbanded: false,
  };
  world.chats.push(chat);
  return chat;
}

function waitFor(
  world: World,
  chat: Chat,
  matches: (message: Message) => boolean,
  timeoutMs?: number,
): Promise<Message> {
  return waitForMessage({
    present: chat.messages.find((message) => message.recalledAt === undefined && matches(message)),
    subscribe: (look) =>
      world.events.subscribe((event) => {
        if ('message' in event && event.chat === chat && event.type !== 'recall') look(event.message);
      }),
    matches,
    shown: () => chat.messages.map((message) => `${message.from.name}: ${shownText(message).slice(0, 80)}`),
    timeoutMs,
  });
}
