import { Faults } from '../kit/faults.ts';
import type { Signal } from '../kit/signal.ts';
import { Api } from './api.ts';
import { Calls } from './calls.ts';
import { HttpRoute, signature } from './delivery/http.ts';
import { Link } from './delivery/link.ts';
import { SocketMode } from './delivery/socket-mode.ts';
import type { ChannelEvent } from './events.ts';
import type { Fault } from './faults.ts';
import { type SlackLimits, slackLimits } from './limits.ts';
import {
  type App,
  type Channel,
  isVisible,
  type Message,
  type StoredFile,
  type User,
  type UserGroup,
} from './model.ts';
import { People } from './people.ts';
import { Rates } from './rates.ts';
import { Responses } from './responses.ts';
import { SlackServer } from './server.ts';
import {
  addApp,
  addChannel,
  addFile,
  addGroup,
  addUser,
  type NewApp,
  type NewChannel,
  type NewFile,
  type NewUser,
  openDm,
} from './setup.ts';
import { waitFor } from './wait.ts';
import type { Wire } from './wire.ts';
import { World } from './world.ts';

export { signature } from './delivery/http.ts';
export type { App, Channel, Message, StoredFile, User } from './model.ts';
export { shownText } from './model.ts';

export interface SlackOptions {
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly limits?: Partial<SlackLimits>;
  /** Rate limits, off by default. */
  readonly rates?: boolean;
  /** Milliseconds since the epoch; the machine's clock by default. */
  readonly now?: () => number;
}

/** An app together with the ways to it. */
export interface InstalledApp extends App {
  readonly socket: SocketMode;
  readonly link: Link;
}

/**
 * A Slack workspace on loopback: apps talk to `url` by the Web API and hear by Socket Mode, or by signed HTTP once
 * `requestUrl` is set; people act through `people`.
 *
 * @example
 * const slack = await startSlack();
 * const app = slack.addApp({ name: 'antler' });
 * const ann = slack.addUser({ name: 'ann' });
 * const dm = slack.openDm(ann, app);
 * slack.people.say(ann, dm, 'Hello');
 * await slack.waitFor(dm, ({ app }) => app !== undefined);
 * await slack.stop();
 */
export interface SlackSimulator {
  /** The Web API's root, with a slash at its end. */
  readonly url: string;
  readonly team: World['team'];
  readonly people: People;
  readonly faults: Faults<Fault>;
  readonly calls: Calls;
  readonly events: Pick<Signal<ChannelEvent>, 'subscribe'>;
  readonly channels: readonly Channel[];
  readonly users: readonly User[];
  addUser(user: NewUser): User;
  addApp(app: NewApp): InstalledApp;
  addChannel(channel: NewChannel): Channel;
  addFile(file: NewFile): StoredFile;
  /** People who are mentioned together. */
  addGroup(handle: string, members?: readonly User[]): UserGroup;
  /** Takes an app's bot token away and tells the app so. */
  uninstall(app: App): void;
  /** The direct messages of a person with an app's bot, opened when there are none. */
  openDm(user: User, app: App): Channel;
  /** What people see in a channel and its threads now, oldest first. */
  visible(channel: Channel): readonly Message[];
  /** Gives an app an event as it is; `envelope` replaces fields around it. */
  inject(app: App, event: Wire, envelope?: Wire): void;
  /**
   * Resolves with the first message of the channel, present or to come, that satisfies `matches`; edits count too.
   * @throws Error after `timeoutMs` (5 s by default), naming what the channel shows instead.
   */
  waitFor(channel: Channel, matches: (message: Message) => boolean, timeoutMs?: number): Promise<Message>;
  /** Points an app's events, interactivity and commands at an address, which has to prove itself. */
  setRequestUrl(app: App, url: string): Promise<boolean>;
  dropConnections(): void;
  stop(): Promise<void>;
}

/** Starts a workspace that nobody is in yet. */
export async function startSlack(options: SlackOptions = {}): Promise<SlackSimulator> {
  const { host = '127.0.0.1', port = 0, now = Date.now } = options;
  const world = new World({ ...slackLimits, ...options.limits }, now);
  const stopping = new AbortController();
  const faults = new Faults<Fault>();
  const calls = new Calls();
  const responses = new Responses(world);
  const sockets = new Map<App, SocketMode>();
  const openSocket = (app: App): string => {
    const address = world.root.replace(/^http/, 'ws');
    return `${address}/link/?ticket=${sockets.get(app)?.newTicket()}&app_id=${app.id}`;
  };
  const api = new Api(world, new Rates(options.rates ?? false, now), openSocket);
  const socketFor = (ticket: string): SocketMode | undefined =>
    [...sockets.values()].find((mode) => mode.useTicket(ticket));
  const server = new SlackServer({ world, api, responses, faults, calls, socketFor });
  world.root = `http://${host}:${await server.listen(host, port)}`;

  const install = (app: App): InstalledApp => {
    const { ackMs, socketsPerApp, retryDelaysMs } = world.limits;
    const socket = new SocketMode(app, { ackMs, most: socketsPerApp, stopping: stopping.signal });
    const http = new HttpRoute(app, { now, ackMs, stopping: stopping.signal });
    const link = new Link(app, ({ requestUrl }) => (requestUrl === undefined ? socket : http), retryDelaysMs);
    sockets.set(app, socket);
    world.links.set(app, link);
    return Object.assign(app, { socket, link });
  };

  return {
    url: `${world.root}/api/`,
    team: world.team,
    people: new People(world, responses),
    faults,
    calls,
    events: world.events,
    channels: world.channels,
    users: world.users,
    addUser: (user) => addUser(world, user),
    addApp: (app) => install(addApp(world, app)),
    addChannel: (channel) => addChannel(world, channel),
    addFile: (file) => addFile(world, file),
    addGroup: (handle, members) => addGroup(world, handle, members),
    uninstall: (app) => {
      app.botToken = `revoked-${app.id}`;
      world.sendEvent(app, { type: 'tokens_revoked', tokens: { oauth: [], bot: [app.user.id] } });
      world.sendEvent(app, { type: 'app_uninstalled' });
    },
    openDm: (user, app) => openDm(world, user, app),
    visible: (channel) => channel.messages.filter(isVisible),
    inject: (app, event, envelope) => world.sendEvent(app, event, envelope),
    waitFor: (channel, matches, timeoutMs) => waitFor(world, channel, matches, timeoutMs),
    setRequestUrl: async (app, url) => {
      const isOurs = await answersChallenge(app, url, now);
      if (isOurs) app.requestUrl = url;
      return isOurs;
    },
    dropConnections: () => server.dropConnections(),
    stop: async () => {
      stopping.abort();
      for (const link of world.links.values()) link.stop();
      await server.close();
    },
  };
}

/** Slack takes an address only once it has repeated a challenge. https://docs.slack.dev/reference/events/url_verification */
async function answersChallenge(app: App, url: string, now: () => number): Promise<boolean> {
  const challenge = crypto.randomUUID();
  const body = JSON.stringify({ token: 'verification-token', challenge, type: 'url_verification' });
  const timestamp = String(Math.floor(now() / 1_000));
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature(app.signingSecret, timestamp, body),
    },
    body,
  });
  return response.ok && (await response.text()).includes(challenge);
}
