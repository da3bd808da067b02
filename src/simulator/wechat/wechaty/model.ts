/** wechaty's kinds of messages, by the number that goes over the wire. */
export const messageType = {
  unknown: 0,
  attachment: 1,
  audio: 2,
  contact: 3,
  chatHistory: 4,
  emoticon: 5,
  image: 6,
  text: 7,
  location: 8,
  miniProgram: 9,
  groupNote: 10,
  transfer: 11,
  redEnvelope: 12,
  recalled: 13,
  url: 14,
  video: 15,
  post: 16,
} as const;

export type MessageTypeName = keyof typeof messageType;

export interface Contact {
  readonly id: string;
  name: string;
  readonly kind: 'person' | 'official' | 'corporation';
}

export interface Room {
  readonly id: string;
  topic: string;
  readonly members: Contact[];
  /** The name that a member goes by in this room, by the member's id. */
  readonly aliases: Map<string, string>;
}

/** A direct chat is the person that the account talks with. */
export type Chat = Contact | Room;

export interface StoredFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What is behind a card. */
export interface Card {
  readonly title?: string;
  readonly url?: string;
  readonly description?: string;
  /** Of a contact card. */
  readonly contactId?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly address?: string;
}

export interface Message {
  readonly id: string;
  readonly chat: Chat;
  readonly from: Contact;
  readonly type: MessageTypeName;
  readonly text: string;
  /** Ids of who is mentioned, where the protocol tells. */
  readonly mentions: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly file?: StoredFile;
  readonly card?: Card;
  recalled: boolean;
}

export const isRoom = (chat: Chat): chat is Room => 'members' in chat;
