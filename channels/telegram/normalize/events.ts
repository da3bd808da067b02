import type { InboundMessage } from '../../../src/channel/message.ts';
import { inboundBase, type NormalizeContext } from './context.ts';
import { chatName, chatRefOf, senderFromUser, topicOf } from './sender.ts';
import type { CallbackQuery, Membership, Reactions } from './wire.ts';

/** A button was pressed; null for buttons of inline messages, which belong to no chat that the bot knows. */
export function convertPress(query: CallbackQuery, context: NormalizeContext): InboundMessage | null {
  const { message } = query;
  if (message === undefined || message.business_connection_id !== undefined) return null;
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

/** Somebody reacted to a message, or took a reaction back; null for the bot's own. */
export function convertReactions(change: Reactions, context: NormalizeContext): InboundMessage | null {
  const { chat, message_id: messageId, user, actor_chat: actor, date } = change;
  if (user?.id === context.bot.id) return null;
  const before = change.old_reaction.map(shownReaction);
  const after = change.new_reaction.map(shownReaction);
  const added = after.filter((one) => !before.includes(one));
  const removed = before.filter((one) => !after.includes(one));
  const by = actor ?? chat;
  const sender = user === undefined ? { id: String(by.id), name: chatName(by), isBot: false } : senderFromUser(user);
  return {
    ...inboundBase(context),
    chat: chatRefOf(chat),
    id: [messageId, sender.id, date, ...after].join('/'),
    kind: 'reaction',
    sender,
    sentAt: date * 1_000,
    text: added.length > 0 ? added.join(' ') : `[removed ${removed.join(' ')}]`,
    addressed: 'none',
    mentions: [],
    quote: { messageId: String(messageId), fromBot: false, text: '', files: [] },
    files: [],
  };
}

/** Of custom emoji bots are told a number only. */
const shownReaction = ({ type, emoji }: Reactions['new_reaction'][number]): string => emoji ?? `[${type}]`;

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
