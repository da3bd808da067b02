import { type ImUserKey, imUserKey } from '../base/ids.ts';

/** The channel types that Antler knows; a channel is one configured bot of one type. */
export type ChannelType = 'feishu' | 'slack' | 'telegram' | 'wechat' | 'wecom' | 'web';

/** How a message was addressed to the bot. `none`: it was said in the bot's hearing, not to it. */
export type Addressed = 'dm' | 'mention' | 'reply' | 'command' | 'topic-participant' | 'all' | 'none';

export type MessageKind =
  | 'message'
  | 'edit'
  | 'recall'
  | 'reaction'
  | 'action' // a button was pressed; `text` is the button's value
  | 'joined'
  | 'left'
  | 'migrated'; // the chat has a new id: `migratedTo`

export interface ChatRef {
  readonly id: string;
  readonly kind: 'dm' | 'group';
  readonly title?: string;
}

export interface Sender {
  /** The platform's user id, as an opaque string. */
  readonly id: string;
  /**
   * Display name, made safe: one line, no control or direction-override characters, at most 64 characters. Empty where
   * the platform tells none: an id stands for nobody's name.
   */
  readonly name: string;
  readonly isBot: boolean;
  /** The language code that the platform reports, e.g. `zh-hans`. */
  readonly language?: string;
}

/** A file that came with a message; its bytes are fetched by the adapter once access is granted. */
export interface InboundFile {
  /** The adapter's own: all that it needs to fetch the bytes, in any process. May hold a key, so it is never logged. */
  readonly id: string;
  readonly kind: 'image' | 'audio' | 'voice' | 'video' | 'file' | 'sticker';
  readonly name: string;
  readonly mime?: string;
  readonly bytes?: number;
}

export interface Quote {
  readonly messageId?: string;
  readonly author?: string;
  /** The quoted message is the bot's own. */
  readonly fromBot: boolean;
  readonly text: string;
  readonly files: readonly InboundFile[];
}

/** What every adapter makes of a platform's event, and all that the rest of Antler knows of it. JSON-safe. */
export interface InboundMessage {
  /** The channel's name in the configuration. */
  readonly channel: string;
  readonly channelType: ChannelType;
  /** The platform's workspace, tenant or corp; empty where it has none. */
  readonly tenant: string;
  readonly chat: ChatRef;
  /** Thread, forum topic or reply chain inside the chat, where the platform has them. */
  readonly topic?: string;
  /** The platform's message id; with channel and chat it is the identity by which redeliveries are known. */
  readonly id: string;
  readonly kind: MessageKind;
  readonly sender: Sender;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly sentAt: number;
  /**
   * Plain text; mentions of people are their names, a leading mention of the bot is gone, and a command that carries
   * the bot's name (`/new@bot`) has lost it. Kinds that cannot be used read as a placeholder, e.g. `[sticker 😀]`.
   */
  readonly text: string;
  readonly addressed: Addressed;
  readonly mentions: readonly { readonly id: string; readonly name: string }[];
  readonly quote?: Quote;
  /** Whom the message was forwarded from. */
  readonly forwardedFrom?: string;
  readonly files: readonly InboundFile[];
  readonly migratedTo?: string;
  /** Nobody has just said it: they had it scheduled. Its id is none of the platform's. */
  readonly scheduled?: true;
}

/**
 * The identity under which redeliveries of one message are known to be the same. Each edit of a message is a message
 * of its own, told apart by its time.
 */
export function dedupeKey(message: Pick<InboundMessage, 'channel' | 'chat' | 'id' | 'kind' | 'sentAt'>): string {
  const parts = [message.channel, message.chat.id, message.kind, message.id];
  if (message.kind === 'edit') parts.push(String(message.sentAt));
  return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
}

/** Who sent a message, as an IM user. */
export const senderKey = ({ channelType, tenant, sender }: InboundMessage): ImUserKey =>
  imUserKey({ channelType, tenant, user: sender.id });
