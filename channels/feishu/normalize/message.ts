import type { Addressed, InboundMessage } from '../../../src/channel/message.ts';
import type { BotIdentity } from '../api.ts';
import { type Content, contentOf } from './content.ts';
import type { Lookup, NormalizeContext, Reading } from './context.ts';
import { type MentionReading, readMentions } from './mentions.ts';
import { type Envelope, type Item, idOf, millisOf, receiveShape } from './wire.ts';

/** Converts `im.message.receive_v1`; null for what the bot itself has said. */
export function convertMessage({ header, event }: Envelope, context: NormalizeContext): Reading | null {
  const { sender, message } = receiveShape.parse(event);
  const { bot } = context;
  const senderId = idOf(sender.sender_id) ?? (sender.sender_type === 'user' ? 'unknown' : sender.sender_type);
  if (senderId === bot.openId || senderId === bot.appId) return null;
  const isDirect = message.chat_type === 'p2p';
  const content = contentOf(message.message_type, message.content, message.message_id);
  const reading = readMentions(content.text, message.mentions, bot);
  const isPerson = sender.sender_type === 'user' || sender.sender_type === 'anonymous';
  const inbound: InboundMessage = {
    channel: context.channel,
    channelType: 'feishu',
    tenant: sender.tenant_key ?? header.tenant_key,
    chat: { id: message.chat_id, kind: isDirect ? 'dm' : 'group' },
    ...(given(message.thread_id) ? { topic: message.thread_id } : {}),
    id: message.message_id,
    kind: 'message',
    sender: { id: senderId, name: '', isBot: !isPerson },
    sentAt: millisOf(message.create_time ?? header.create_time, context.now),
    text: reading.text,
    addressed: addressed(isDirect, reading),
    mentions: reading.mentions,
    files: content.files,
  };
  return {
    message: inbound,
    lookup: lookupFor(message, sender.sender_id.open_id, isDirect, content),
  };
}

function lookupFor(
  message: ReturnType<typeof receiveShape.parse>['message'],
  senderOpenId: string | undefined,
  isDirect: boolean,
  { inside, unnamed }: Content,
): Lookup {
  const { parent_id: parent, root_id: root, thread_id: thread } = message;
  return {
    ...(given(senderOpenId) ? { sender: senderOpenId } : {}),
    ...(isDirect ? {} : { chat: 'title' as const }),
    ...(given(parent) ? { parent } : {}),
    ...(given(thread) && given(parent) && parent === root ? { isThreadRoot: true } : {}),
    ...(inside === undefined ? {} : { inside }),
    ...(unnamed === undefined ? {} : { unnamed }),
  };
}

const given = (id: string | undefined): id is string => id !== undefined && id !== '';

function addressed(isDirect: boolean, { mentionsBot, mentionsAll }: MentionReading): Addressed {
  if (isDirect) return 'dm';
  if (mentionsBot) return 'mention';
  return mentionsAll ? 'all' : 'none';
}

/** What a fetched message reads as, for quotes and forwards; `carrier` is the id under which its files are to be had. */
export function contentOfItem({ msg_type: type, body, mentions }: Item, carrier: string, bot: BotIdentity): Content {
  const content = contentOf(type, body.content, carrier);
  const { text } = readMentions(content.text, mentions, { ...bot, openId: '' });
  return { ...content, text };
}
