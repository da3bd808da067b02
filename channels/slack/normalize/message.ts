import type { Addressed, InboundMessage, Sender } from '../../../src/channel/message.ts';
import { personName } from '../../../src/format/safe-name.ts';
import { mentionedInBlocks } from './blocks.ts';
import { type Content, contentOf } from './content.ts';
import { inboundBase, type NormalizeContext } from './context.ts';
import { filesNotes } from './files.ts';
import { chatRefOf, timeOf, topicOf } from './place.ts';
import type { Message, MessageCore } from './wire.ts';

/** Messages that say something, although they have a subtype. https://docs.slack.dev/reference/events/message#subtypes */
const SAID = new Set([
  'file_share',
  'me_message',
  'thread_broadcast',
  'bot_message',
  'file_comment',
  'document_mention',
]);

/** Slack itself: reminders, answers to commands. */
const SLACKBOT = 'USLACKBOT';

/** Converts a message, an edit or a deletion of one; null for what was not said to anybody. */
export function convertMessage(event: Message, context: NormalizeContext): InboundMessage | null {
  switch (event.subtype) {
    case 'message_changed':
      return convertChange(event, context);
    case 'message_deleted':
      return convertDeletion(event, context);
    default:
      if (event.hidden === true || (event.subtype !== undefined && !SAID.has(event.subtype))) return null;
      return convertSaid(event, event, 'message', context);
  }
}

function convertSaid(
  event: Message,
  message: MessageCore,
  kind: 'message' | 'edit',
  context: NormalizeContext,
): InboundMessage | null {
  const { bot, names } = context;
  if (isOwn(message, context) || message.user === SLACKBOT || message.streaming_state !== undefined) return null;
  const chat = chatRefOf(event.channel, names, event.channel_type);
  const content = contentOf(message, bot, names);
  const topic = topicOf(chat, message);
  return {
    ...inboundBase(context),
    chat,
    ...(topic === undefined ? {} : { topic }),
    id: message.ts,
    kind,
    sender: senderOf(message, context),
    sentAt: timeOf(kind === 'edit' ? (message.edited?.ts ?? event.ts) : message.ts),
    text: content.text,
    addressed: chat.kind === 'dm' ? 'dm' : addressed(event, message, content, context),
    mentions: content.reading.mentions,
    ...(content.quote === undefined ? {} : { quote: content.quote }),
    ...(content.forwardedFrom === undefined ? {} : { forwardedFrom: content.forwardedFrom }),
    files: content.files,
  };
}

function addressed(event: Message, message: MessageCore, { reading }: Content, { bot }: NormalizeContext): Addressed {
  const inBlocks = mentionedInBlocks(message.blocks ?? [], bot.userId);
  if (event.type === 'app_mention' || (reading.mentionsBot && inBlocks !== false)) return 'mention';
  if (reading.isForAnother) return 'none';
  if (message.parent_user_id === bot.userId && message.thread_ts !== message.ts) return 'reply';
  return reading.mentionsAll ? 'all' : 'none';
}

/**
 * Slack "changes" messages for previews of links and counts of replies too. An edit has other words: typed ones, or
 * those of a clip that Slack has written down by now.
 */
function convertChange(event: Message, context: NormalizeContext): InboundMessage | null {
  const { message, previous_message: before } = event;
  if (message === undefined) return null;
  if (message.subtype === 'tombstone') return convertRecall(event, message.ts, before ?? message, context);
  const isSaid = message.subtype === undefined || SAID.has(message.subtype);
  const isSame = message.text === before?.text && filesNotes(message.files ?? []) === filesNotes(before?.files ?? []);
  if (isSame || !isSaid) return null;
  return convertSaid(event, message, 'edit', context);
}

function convertDeletion(event: Message, context: NormalizeContext): InboundMessage | null {
  const { deleted_ts: deleted, previous_message: before } = event;
  const id = deleted ?? before?.ts;
  return id === undefined ? null : convertRecall(event, id, before, context);
}

function convertRecall(
  event: Message,
  id: string,
  before: MessageCore | undefined,
  context: NormalizeContext,
): InboundMessage | null {
  if (before !== undefined && isOwn(before, context)) return null;
  const chat = chatRefOf(event.channel, context.names, event.channel_type);
  const topic = topicOf(chat, { ts: id, thread_ts: before?.thread_ts });
  return {
    ...inboundBase(context),
    chat,
    ...(topic === undefined ? {} : { topic }),
    id,
    kind: 'recall',
    sender: senderOf(before ?? event, context),
    sentAt: timeOf(event.ts),
    text: '',
    addressed: 'none',
    mentions: [],
    files: [],
  };
}

/** Slack tells a bot of its own messages, and of their changes, as of anybody's. */
function isOwn({ user, bot_id: botId }: MessageCore, { bot }: NormalizeContext): boolean {
  return user === bot.userId || (botId !== undefined && botId === bot.botId);
}

/** Who speaks. Messages of integrations have no user, and those of other bots have no subtype. */
function senderOf(message: MessageCore, { names }: NormalizeContext): Sender {
  const { user, bot_id: botId, username, user_profile: given } = message;
  const id = user ?? botId ?? '';
  const profile = names.user(id);
  const told = [given?.display_name, given?.real_name, given?.name, message.bot_profile?.name];
  return {
    id,
    name: personName(profile?.name, username, ...told),
    isBot: botId !== undefined || profile?.isBot === true || user === undefined,
    ...(profile?.language === undefined ? {} : { language: profile.language }),
  };
}
