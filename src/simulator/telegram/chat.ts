import type { FormattedText } from './formatting/index.ts';
import type { WireChat, WireKeyboard, WireQuote, WireUser } from './wire.ts';

/** An account: a person or a bot. */
export interface User {
  readonly id: number;
  readonly isBot: boolean;
  readonly firstName: string;
  readonly lastName?: string;
  readonly username?: string;
  /** As the app reports it, e.g. `zh-hans`. */
  readonly language?: string;
}

export type MemberStatus = 'creator' | 'administrator' | 'member' | 'left' | 'kicked';

export interface Member {
  readonly user: User;
  status: MemberStatus;
}

export interface Topic {
  /** The thread id: that of the service message that opened the topic. */
  readonly id: number;
  name: string;
  closed: boolean;
  deleted: boolean;
}

/** A chat and everything said in it. A private chat is between one person and one bot. */
export interface Chat {
  readonly kind: 'private' | 'group' | 'supergroup';
  /** In a private chat this is the person's id, as bots see it. */
  readonly id: number;
  title: string;
  readonly username?: string;
  forum: boolean;
  readonly topics: Topic[];
  readonly members: Map<number, Member>;
  readonly messages: Message[];
  /** Private chats only. */
  readonly person?: User;
  readonly bot?: User;
  /** A group that became a supergroup only answers with where it went. */
  migratedTo?: number;
  /** Members that are no administrators may not write. */
  readOnly: boolean;
}

/** What a message carries besides text; field names and values as the Bot API has them. */
export interface Media {
  readonly kind: 'photo' | 'document' | 'animation' | 'voice' | 'audio' | 'video' | 'video_note' | 'sticker';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly group?: string;
}

export interface Edit {
  readonly at: number;
  readonly text: string;
}

/** One message as the simulator keeps it. */
export interface Message {
  readonly chat: Chat;
  readonly id: number;
  readonly from: User;
  /** Milliseconds since the epoch, precise. */
  readonly at: number;
  /** Text, or the caption where there is media. */
  content: FormattedText;
  readonly media?: Media;
  /** A service message, as the Bot API has it, e.g. `{ new_chat_members: […] }`. */
  readonly service?: Readonly<Record<string, unknown>>;
  readonly replyTo?: Message;
  readonly quote?: WireQuote;
  readonly topic?: Topic;
  /** In a plain supergroup: the message that the chain of replies began with. */
  readonly chainId?: number;
  /** Further fields, as the Bot API has them, e.g. `forward_origin`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  keyboard?: WireKeyboard;
  editedAt?: number;
  /** Every text that people have seen in this place, oldest first, the first one included. */
  readonly history: Edit[];
  readonly reactions: Map<number, readonly string[]>;
  deletedAt?: number;
}

export const userToWire = (user: User): WireUser => ({
  id: user.id,
  is_bot: user.isBot,
  first_name: user.firstName,
  ...(user.lastName === undefined ? {} : { last_name: user.lastName }),
  ...(user.username === undefined ? {} : { username: user.username }),
  ...(user.language === undefined ? {} : { language_code: user.language }),
});

export function chatToWire(chat: Chat): WireChat {
  if (chat.person !== undefined) {
    const { id, is_bot: _, language_code: __, ...name } = userToWire(chat.person);
    return { id, ...name, type: 'private' };
  }
  return {
    id: chat.id,
    type: chat.kind,
    title: chat.title,
    ...(chat.username === undefined ? {} : { username: chat.username }),
    ...(chat.forum ? { is_forum: true as const } : {}),
  };
}

export const isPresent = (chat: Chat, userId: number): boolean => {
  const status = chat.members.get(userId)?.status;
  return status !== undefined && status !== 'left' && status !== 'kicked';
};

/** A message that is still there. */
export const findMessage = (chat: Chat, id: number): Message | undefined =>
  chat.messages.findLast((message) => message.id === id && message.deletedAt === undefined);

export const displayName = (user: User): string =>
  user.lastName === undefined ? user.firstName : `${user.firstName} ${user.lastName}`;

/** The next message's id in a supergroup. Id 1 is taken: it made the group, and as a topic it is General. */
export const followingId = (chat: Chat): number => (chat.messages.at(-1)?.id ?? 1) + 1;
