import type { ChatRef, Sender } from '../../../src/channel/message.ts';
import { safeName } from '../../../src/format/safe-name.ts';
import type { Chat, Message, Origin, RepliedMessage, User } from './wire.ts';

/**
 * Who speaks. Anonymous admins, channels and posts come with a made-up `from` (or none); there the chat they speak as
 * is the sender, so that allow-lists mean what they say.
 */
export function senderOf(message: Pick<Message, 'from' | 'sender_chat' | 'chat' | 'author_signature'>): Sender {
  const { from, sender_chat: speaksAs, author_signature: signature } = message;
  const chat = speaksAs ?? (from === undefined ? message.chat : undefined);
  if (chat !== undefined) return { id: String(chat.id), name: safeName(signature, chatName(chat)), isBot: false };
  return senderFromUser(from as User);
}

export function senderFromUser(user: User): Sender {
  return {
    id: String(user.id),
    name: userName(user),
    isBot: user.is_bot,
    ...(user.language_code === undefined ? {} : { language: user.language_code }),
  };
}

export const userName = (user: User): string =>
  safeName([user.first_name, user.last_name].join(' '), user.username, String(user.id));

export const chatName = (chat: Chat): string =>
  safeName(chat.title, [chat.first_name, chat.last_name].join(' '), chat.username, String(chat.id));

export function chatRefOf(chat: Chat): ChatRef {
  return {
    id: String(chat.id),
    kind: chat.type === 'private' ? 'dm' : 'group',
    ...(chat.title === undefined ? {} : { title: safeName(chat.title) }),
  };
}

/** Where a forwarded or quoted message comes from. */
export function originName(origin: Origin): string {
  if (origin.sender_user !== undefined) return userName(origin.sender_user);
  const chat = origin.sender_chat ?? origin.chat;
  return chat === undefined ? safeName(origin.sender_user_name) : chatName(chat);
}

/** The forum topic. General has none, and elsewhere a thread id only names a chain of replies. */
export function topicOf(message: Pick<RepliedMessage, 'is_topic_message' | 'message_thread_id'>): string | undefined {
  const { is_topic_message: isTopic, message_thread_id: thread } = message;
  return isTopic === true && thread !== undefined && thread !== GENERAL_TOPIC ? String(thread) : undefined;
}

/** Sending to it by its number fails with "message thread not found". */
export const GENERAL_TOPIC = 1;
