import type { App, Channel, StoredFile, User, UserGroup } from './model.ts';
import type { World } from './world.ts';

export interface NewUser {
  readonly name: string;
  readonly displayName?: string;
  readonly locale?: string;
}

export interface NewApp {
  readonly name: string;
  readonly commands?: readonly string[];
  /** All that the simulator knows by default. */
  readonly scopes?: readonly string[];
}

export interface NewChannel {
  readonly name: string;
  readonly kind?: Exclude<Channel['kind'], 'im'>;
  readonly members: readonly User[];
}

export interface NewFile {
  readonly name: string;
  readonly mimetype: string;
  readonly bytes: Uint8Array;
  readonly by: User;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly servedAs?: string;
}

const SCOPES = [
  'app_mentions:read',
  ...['channels', 'groups', 'im', 'mpim'].flatMap((kind) => [`${kind}:history`, `${kind}:read`]),
  ...['chat:write', 'commands', 'files:read', 'files:write', 'im:write', 'reactions:read', 'reactions:write'],
  ...['users:read', 'usergroups:read', 'assistant:write'],
];

export function addUser(world: World, { name, displayName = name, locale = 'en-US' }: NewUser, isBot = false): User {
  const user: User = { id: world.newId('U'), name, displayName, isBot, locale, timezone: 'Europe/Berlin' };
  world.users.push(user);
  return user;
}

export function addApp(world: World, { name, commands = [], scopes = SCOPES }: NewApp): App {
  const id = world.newId('A');
  const secret = crypto.randomUUID().replaceAll('-', '');
  const app: App = {
    id,
    name,
    botId: world.newId('B'),
    user: addUser(world, { name }, true),
    botToken: `xoxb-${id}-${secret}`,
    appToken: `xapp-1-${id}-${secret}`,
    signingSecret: crypto.randomUUID().replaceAll('-', ''),
    scopes: new Set(scopes),
    requestUrl: undefined,
    commands: new Set(commands),
  };
  world.apps.push(app);
  return app;
}

const PREFIX = { im: 'D', mpim: 'G', group: 'G', channel: 'C' } as const;

export function addGroup(world: World, handle: string, members: readonly User[] = []): UserGroup {
  const ids = new Set(members.map(({ id }) => id));
  const group: UserGroup = { id: world.newId('S'), handle, name: handle, members: ids };
  world.groups.push(group);
  return group;
}

export function addChannel(world: World, { name, kind = 'channel', members }: NewChannel): Channel {
  return newChannel(world, kind, name, members);
}

export function openDm(world: World, user: User, app: App): Channel {
  const found = world.channels.find(
    ({ kind, members }) => kind === 'im' && members.has(user.id) && members.has(app.user.id),
  );
  return found ?? newChannel(world, 'im', '', [user, app.user]);
}

function newChannel(world: World, kind: Channel['kind'], name: string, members: readonly User[]): Channel {
  const ids = new Set(members.map(({ id }) => id));
  const channel: Channel = { id: world.newId(PREFIX[kind]), kind, name, members: ids, messages: [], archived: false };
  world.channels.push(channel);
  return channel;
}

export function addFile(world: World, { name, mimetype, bytes, by, extra, servedAs }: NewFile): StoredFile {
  const filetype = name.includes('.') ? (name.split('.').at(-1) ?? '') : '';
  const file: StoredFile = {
    id: world.newId('F'),
    ...{ name, mimetype, filetype, bytes, user: by.id },
    ...(extra === undefined ? {} : { extra }),
    ...(servedAs === undefined ? {} : { servedAs }),
  };
  world.files.push(file);
  return file;
}
