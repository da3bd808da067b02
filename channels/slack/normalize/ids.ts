import { type Handout, property } from './handout.ts';

const USER_FIELDS = ['user', 'user_id', 'inviter', 'author_id'] as const;
/** Mentions and channels that carry no name: `<@U1>`, `<#C1>`, `<#C1|>`. */
const NAMELESS = /<(@|#|!subteam\^)([A-Z0-9]{2,24})\|?>/g;
const ID = /^[A-Z0-9]{2,24}$/;
/** More names than this are not worth the calls. */
const MOST = 12;

export interface Ids {
  readonly users: string[];
  readonly channels: string[];
  /** Groups of users. */
  readonly groups: string[];
}

/** Whose names have to be known to read a handout. */
export function idsIn({ body }: Handout): Ids {
  const found = { users: new Set<string>(), channels: new Set<string>(), groups: new Set<string>() };
  const { users, channels, groups } = found;
  const event = property(body, 'event') ?? body;
  for (const part of [event, property(event, 'message'), property(event, 'previous_message')]) {
    readPart(part, found);
    const attachments = property(part, 'attachments');
    if (Array.isArray(attachments)) for (const attachment of attachments.slice(0, 3)) readPart(attachment, found);
  }
  for (const channel of [
    property(event, 'channel'),
    property(property(event, 'item'), 'channel'),
    property(property(event, 'channel'), 'id'),
    property(event, 'channel_id'),
  ]) {
    // Direct messages have no name.
    if (typeof channel === 'string' && ID.test(channel) && !channel.startsWith('D')) channels.add(channel);
  }
  const first = (ids: ReadonlySet<string>): string[] => [...ids].slice(0, MOST);
  return { users: first(users), channels: first(channels), groups: first(groups) };
}

function readPart(part: unknown, { users, channels, groups }: Readonly<Record<keyof Ids, Set<string>>>): void {
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
