import type { Addressed, InboundMessage } from '../../../src/channel/message.ts';
import type { BotIdentity } from '../api.ts';
import { contentOf, readable } from './content.ts';
import { inboundBase, type NormalizeContext } from './context.ts';
import { isOwn, quoteOf, repliedTo } from './quote.ts';
import { chatRefOf, originName, senderOf, topicOf, userName } from './sender.ts';
import { isService } from './service.ts';
import { readText, type TextReading } from './text.ts';
import type { Message } from './wire.ts';

/** Converts a message, a post or an edit of one; null for what was not said to anybody. */
export function convertMessage(
  message: Message,
  kind: 'message' | 'edit',
  context: NormalizeContext,
): InboundMessage | null {
  const { bot } = context;
  if (message.from?.id === bot.id || isElsewhere(message)) return null;
  if (kind === 'message') {
    const event = convertMembership(message, context);
    if (event !== undefined) return event;
  }
  if (isService(message)) return null;
  // Telegram "edits" messages for link previews and reactions, and a live location every few seconds.
  if (kind === 'edit' && (message.edit_date === undefined || message.location !== undefined)) return null;

  const content = contentOf(message);
  const reading = readText(content.text, content.entities, bot);
  const quote = quoteOf(message, bot);
  const topic = topicOf(message);
  return {
    ...inboundBase(context),
    chat: chatRefOf(message.chat),
    ...(topic === undefined ? {} : { topic }),
    id: messageId(message),
    kind,
    sender: senderOf(message),
    sentAt: (kind === 'edit' ? (message.edit_date ?? message.date) : message.date) * 1_000,
    text: content.text === '' ? readable(content) : reading.text,
    addressed: addressed(message, reading, bot),
    mentions: reading.mentions,
    ...(quote === undefined ? {} : { quote }),
    ...(message.forward_origin === undefined ? {} : { forwardedFrom: originName(message.forward_origin) }),
    files: content.files,
  };
}

/** Business chats and guest queries have chat ids of their own, which may be the same as those of other chats. */
const isElsewhere = ({ business_connection_id: business, guest_query_id: guest }: Message): boolean =>
  business !== undefined || guest !== undefined;

/** Ephemeral messages all have message id 0. */
function messageId({ message_id: id, ephemeral_message_id: ephemeral }: Message): string {
  return id === 0 && ephemeral !== undefined ? `e${ephemeral}` : String(id);
}

function addressed(message: Message, reading: TextReading, bot: BotIdentity): Addressed {
  if (message.chat.type === 'private') return 'dm';
  // A copy of a post in the linked channel; whom the post called was called there.
  if (message.is_automatic_forward === true) return 'none';
  if (reading.command === 'own') return 'command';
  if (reading.mentionsBot) return 'mention';
  // A command that names another bot is for that bot alone, even as a reply to ours.
  if (reading.command === 'other') return 'none';
  if (reading.command === 'bare') return 'command';
  const replied = repliedTo(message);
  return replied !== undefined && isOwn(replied, bot) && !isService(replied) ? 'reply' : 'none';
}

/** Comings, goings and the group's new id; undefined when the message is none of these. */
function convertMembership(message: Message, context: NormalizeContext): InboundMessage | null | undefined {
  const {
    new_chat_members: joined,
    left_chat_member: left,
    migrate_to_chat_id: movedTo,
    migrate_from_chat_id: movedFrom,
  } = message;
  const base = {
    ...inboundBase(context),
    chat: chatRefOf(message.chat),
    id: String(message.message_id),
    sender: senderOf(message),
    sentAt: message.date * 1_000,
    addressed: 'none' as const,
  };
  if (movedTo !== undefined || movedFrom !== undefined) {
    // Both chats tell it, in any order; both become the same event of the old chat.
    const newChat = String(movedTo ?? message.chat.id);
    const chat = { ...base.chat, id: String(movedFrom ?? message.chat.id) };
    return {
      ...base,
      chat,
      id: `to${newChat}`,
      kind: 'migrated',
      text: '',
      mentions: [],
      files: [],
      migratedTo: newChat,
    };
  }
  const people = (joined ?? (left === undefined ? [] : [left])).filter(({ id }) => id !== context.bot.id);
  if (joined === undefined && left === undefined) return undefined;
  if (people.length === 0) return null; // the bot itself: `my_chat_member` says so more reliably
  const mentions = people.map((user) => ({ id: String(user.id), name: userName(user) }));
  const text = mentions.map(({ name }) => name).join(', ');
  return { ...base, kind: joined === undefined ? 'left' : 'joined', text, mentions, files: [] };
}
