/** The Bot API's JSON shapes, as far as the simulator speaks them. Source: https://core.telegram.org/bots/api */

export interface WireUser {
  id: number;
  is_bot: boolean;
  first_name: string;
  last_name?: string;
  username?: string;
  language_code?: string;
}

export interface WireChat {
  id: number;
  type: 'private' | 'group' | 'supergroup';
  title?: string;
  first_name?: string;
  last_name?: string;
  username?: string;
  is_forum?: true;
}

export type EntityType =
  | 'mention'
  | 'hashtag'
  | 'bot_command'
  | 'url'
  | 'email'
  | 'bold'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'spoiler'
  | 'blockquote'
  | 'expandable_blockquote'
  | 'code'
  | 'pre'
  | 'text_link'
  | 'text_mention'
  | 'custom_emoji';

/** `offset` and `length` count UTF-16 code units. */
export interface WireEntity {
  type: EntityType;
  offset: number;
  length: number;
  url?: string;
  language?: string;
  user?: WireUser;
  custom_emoji_id?: string;
}

export interface WireButton {
  text: string;
  callback_data?: string;
  url?: string;
}

export interface WireKeyboard {
  inline_keyboard: WireButton[][];
}

export interface WireQuote {
  text: string;
  position: number;
  is_manual?: true;
}

/** A message; media and service fields vary by kind and are carried as they are. */
export interface WireMessage {
  message_id: number;
  message_thread_id?: number;
  is_topic_message?: true;
  from?: WireUser;
  date: number;
  edit_date?: number;
  chat: WireChat;
  text?: string;
  entities?: WireEntity[];
  caption?: string;
  caption_entities?: WireEntity[];
  reply_to_message?: WireMessage;
  quote?: WireQuote;
  media_group_id?: string;
  reply_markup?: WireKeyboard;
  [field: string]: unknown;
}

/** What happened, without its number: the queue gives the number. */
export type UpdateBody = Readonly<Record<string, unknown>>;
export type WireUpdate = UpdateBody & { readonly update_id: number };
