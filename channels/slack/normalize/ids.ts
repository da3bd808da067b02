import { property } from '../../../src/base/property.ts';
import type { Handout } from './handout.ts';

const USER_FIELDS = ['user', 'user_id', 'inviter', 'author_id'] as const;
/** Mentions and channels that carry no name: `<@U1>`, `<#C1>`, `<#C1|>`. */
const NAMELESS = /<(@|#|!subteam\^)([A-Z0-9]{2,24})\|?>/g;
const ID = /^[A-Z0-9]{2,24}$/;
/** More names than this are not worth the calls. */
const MOST = 20;

export interface Ids {
  readonly users: string[];
  readonly channels: string[];
  /** Groups of users. */
  readonly groups: string[];
}

type Found = Readonly<Record<keyof Ids, Set<string>>>;

const nothing = (): Found => ({ users: new Set(), channels: new Set(), groups: new Set() });
const first = (ids: ReadonlySet<string>): string[] => [...ids].slice(0, MOST);
const most = ({ users, channels, groups }: Found): Ids => ({
  users: first(users),
  channels: first(channels),
  groups: first(groups),
});

/** Whose names have to be known to read a handout. */
export function idsIn({ body }: Handout): Ids {
  const found = nothing();
  const event = property(body, 'event') ?? body;
  for (const part of [event, property(event, 'message'), property(event, 'previous_message')]) readMessage(part, found);
  for (const channel of [
    property(event, 'channel'),
    property(property(event, 'item'), 'channel'),
    property(property(event, 'channel'), 'id'),
    property(event, 'channel_id'),
  ]) {
    // Direct messages have no name.
    if (typeof channel === 'string' && ID.test(channel) && !channel.startsWith('D')) found.channels.add(channel);
  }
  return most(found);
}

/** Whose names have to be known to read these messages. */
export function idsInMessages(messages: readonly unknown[]): Ids {
  const found = nothing();
  for (const message of messages) readMessage(message, found);
  return most(found);
}

function readMessage(message: unknown, found: Found): void {
  readPart(message, found);
  const attachments = property(message, 'attachments');
  if (Array.isArray(attachments)) for (const attachment of attachments.slice(0, 3)) readPart(attachment, found);
}

function readPart(part: unknown, { users, channels, groups }: Found): void {
  for (const field of USER_FIELDS) {
    const user = property(part, field);
    const id = typeof user === 'string' ? user : property(user, 'id');
    if (typeof id === 'string' && ID.test(id)) users.add(id);
  }
  const text = property(part, 'text');
  if (typeof text !== 'string') return;
  for (const [, sign, id = ''] of text.matchAll(NAMELESS)) {
    (sign === '@' ? users : sign === '#' ? channels : groups).add(id);
  }
}
