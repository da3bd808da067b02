import type { InboundMessage } from '../../../src/channel/message.ts';
import { inboundBase, type NormalizeContext } from './context.ts';
import { chatRefOf, senderFromUser, topicOf } from './sender.ts';
import type { CallbackQuery, Membership } from './wire.ts';

/** A button was pressed; null for buttons of inline messages, which belong to no chat that the bot knows. */
export function convertPress(query: CallbackQuery, context: NormalizeContext): InboundMessage | null {
  const { message } = query;
  if (message === undefined) return null;
  const topic = topicOf(message);
  const isPrivate = message.chat.type === 'private';
  return {
    ...inboundBase(context),
    chat: chatRefOf(message.chat),
    ...(topic === undefined ? {} : { topic }),
    id: query.id,
    kind: 'action',
    sender: senderFromUser(query.from),
    sentAt: context.now,
    text: query.data ?? '',
    addressed: isPrivate ? 'dm' : 'reply',
    mentions: [],
    quote: { messageId: String(message.message_id), fromBot: true, text: message.text ?? '', files: [] },
    files: [],
  };
}

const OUT = new Set(['left', 'kicked']);

/** The bot itself was added, removed or blocked; null when only its rights changed. */
export function convertOwnMembership(
  change: Membership,
  updateId: number,
  context: NormalizeContext,
): InboundMessage | null {
  const wasOut = OUT.has(change.old_chat_member.status);
  const isOut = OUT.has(change.new_chat_member.status);
  if (wasOut === isOut) return null;
  return {
    ...inboundBase(context),
    chat: chatRefOf(change.chat),
    id: `u${updateId}`,
    kind: isOut ? 'left' : 'joined',
    sender: senderFromUser(change.from),
    sentAt: change.date * 1_000,
    text: `@${context.bot.username}`,
    addressed: 'none',
    mentions: [{ id: String(context.bot.id), name: context.bot.username }],
    files: [],
  };
}
