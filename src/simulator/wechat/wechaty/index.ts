import { CallLog } from '../../kit/call-log.ts';
import { Faults } from '../../kit/faults.ts';
import { waitForMessage } from '../../kit/wait-for.ts';
import type { WechatyFault } from './faults.ts';
import type { Chat, Contact, Message, Room } from './model.ts';
import { People } from './people.ts';
import { type PuppetCall, SimulatedPuppet } from './puppet.ts';
import { PuppetService } from './server.ts';
import { World } from './world.ts';

export type { WechatyFault } from './faults.ts';
export type { Chat, Contact, Message, Room } from './model.ts';
export { isRoom } from './model.ts';

export interface WechatyOptions {
  /** wechaty-puppet-service takes tokens of this form alone for servers with its own certificate. */
  readonly token?: `insecure_${string}`;
  readonly tls?: boolean;
  /** The account is logged in from the start; otherwise it waits for {@link WechatySimulator.login}. */
  readonly loggedIn?: boolean;
  readonly accountName?: string;
}

/** What wechaty calls the states of a QR code. */
export const scanStatus = { cancel: 1, waiting: 2, scanned: 3, confirmed: 4, timeout: 5 } as const;

export interface NewRoom {
  readonly topic: string;
  readonly members: readonly Contact[];
  /** What members are called in this room, by their name. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/**
 * A puppet service on loopback: wechaty's own gRPC server in front of a puppet whose WeChat is simulated. wechaty
 * connects to `endpoint` with `token`, people act through `people`.
 *
 * @example
 * const wechat = await startWechaty();
 * const ann = wechat.addContact('Ann');
 * wechat.people.say(ann, ann, 'Hello');
 * await wechat.waitFor(ann, ({ from }) => from === wechat.account);
 * await wechat.stop();
 */
export interface WechatySimulator {
  readonly endpoint: string;
  readonly token: string;
  /** Whom the puppet plays. */
  readonly account: Contact;
  readonly people: People;
  readonly faults: Faults<WechatyFault>;
  /** Calls of the puppet's methods, e.g. `messageSendText`. */
  readonly calls: CallLog<PuppetCall>;
  addContact(name: string, kind?: Contact['kind']): Contact;
  addRoom(room: NewRoom): Room;
  /** Forgets a room or person, so that nothing can be looked up about it any more. */
  forget(chat: Chat): void;
  /** What is seen in a chat now, oldest first. */
  visible(chat: Chat): readonly Message[];
  /**
   * Resolves with the first message of the chat, present or to come, that satisfies `matches`.
   * @throws Error after `timeoutMs` (5 s by default), naming what the chat shows instead.
   */
  waitFor(chat: Chat, matches: (message: Message) => boolean, timeoutMs?: number): Promise<Message>;
  /** Calls back with a chat after something was said or taken back there. Returns the function that ends it. */
  subscribe(listener: (chat: Chat) => void): () => void;
  scan(code: string, status?: keyof typeof scanStatus): void;
  login(): void;
  logout(): void;
  /** The account is somebody else from the next login on. */
  changeAccount(name: string): Contact;
  /** An event of the puppet as it is, e.g. `emit('error', { gerror: '…' })`. */
  emit(event: string, payload: object): void;
  /** Connections stay open, but nothing is answered any more, and no heartbeat comes. */
  freeze(): void;
  thaw(): void;
  /** The service dies: connections break, and new ones are refused. */
  kill(): Promise<void>;
  /** Comes back on the same port. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a WeChat that nobody but the account is in. */
export async function startWechaty(options: WechatyOptions = {}): Promise<WechatySimulator> {
  const { token = 'insecure_antler', tls = false, loggedIn = true, accountName = 'Antler' } = options;
  const world = new World({ id: 'wxid_bot', name: accountName, kind: 'person' });
  const faults = new Faults<WechatyFault>();
  const calls = new CallLog<PuppetCall>();
  const drop = (): void => void service.stop().then(() => service.start());
  const puppet = new SimulatedPuppet({ world, faults, calls, drop });
  const service = new PuppetService({ token, tls, puppet });
  puppet.isLoggedIn = loggedIn;
  await service.start();

  return {
    get endpoint() {
      return service.endpoint;
    },
    token,
    get account() {
      return world.account;
    },
    people: new People(world, puppet),
    faults,
    calls,
    addContact: (name, kind = 'person') => addContact(world, name, kind),
    addRoom: (room) => addRoom(world, room),
    forget: (chat) => {
      world.rooms.delete(chat.id);
      world.contacts.delete(chat.id);
    },
    visible: (chat) => world.visible(chat),
    waitFor: (chat, matches, timeoutMs) => waitFor(world, chat, matches, timeoutMs),
    subscribe: (listener) => {
      const tell = ({ chat }: Message): void => listener(chat);
      world.seen.on('message', tell);
      return () => void world.seen.off('message', tell);
    },
    scan: (code, status = 'waiting') => void puppet.emit('scan', { qrcode: code, status: scanStatus[status] }),
    login: () => {
      puppet.isLoggedIn = true;
      puppet.emit('login', { contactId: world.account.id });
    },
    logout: () => {
      puppet.emit('logout', { contactId: world.account.id, data: 'logged out on the phone' });
      puppet.isLoggedIn = false;
    },
    changeAccount: (name) => {
      world.account = { id: world.nextId('wxid_'), name, kind: 'person' };
      world.contacts.set(world.account.id, world.account);
      return world.account;
    },
    emit: (event, payload) => void puppet.emit(event, payload),
    freeze: () => {
      puppet.isAlive = false;
    },
    thaw: () => {
      puppet.isAlive = true;
    },
    kill: () => service.stop(),
    revive: () => service.start(),
    stop: () => service.stop(),
  };
}

function addContact(world: World, name: string, kind: Contact['kind']): Contact {
  const contact: Contact = { id: world.nextId(kind === 'official' ? 'gh_' : 'wxid_'), name, kind };
  world.contacts.set(contact.id, contact);
  return contact;
}

function addRoom(world: World, { topic, members, aliases = {} }: NewRoom): Room {
  const all = [...new Set([world.account, ...members])];
  const named = all.flatMap(({ id, name }) => {
    const alias = aliases[name];
    return alias === undefined ? [] : [[id, alias] as const];
  });
  const room: Room = { id: `${world.nextId('')}@chatroom`, topic, members: all, aliases: new Map(named) };
  world.rooms.set(room.id, room);
  return room;
}

function waitFor(
  world: World,
  chat: Chat,
  matches: (message: Message) => boolean,
  timeoutMs?: number,
): Promise<Message> {
  return waitForMessage({
    present: world.visible(chat).find(matches),
    subscribe: (look) => {
      const listener = (message: Message): void => {
        if (message.chat === chat) look(message);
      };
      world.seen.on('message', listener);
      return () => void world.seen.off('message', listener);
    },
    matches,
    shown: () => world.visible(chat).map(({ from, text }) => `${from.name}: ${text.slice(0, 80)}`),
    timeoutMs,
  });
}
