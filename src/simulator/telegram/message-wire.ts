import { chatToWire, type Message, userToWire } from './chat.ts';
import { unixSeconds } from './time.ts';
import type { WireMessage } from './wire.ts';

/** A message as bots receive it; what it replies to comes along one level deep. */
export function messageToWire(message: Message, depth = 1): WireMessage {
  const { text, entities } = message.content;
  const threadId = message.topic?.id ?? message.chainId;
  return {
    message_id: message.id,
    from: userToWire(message.from),
    chat: chatToWire(message.chat),
    date: unixSeconds(message.at),
    ...(message.editedAt === undefined ? {} : { edit_date: unixSeconds(message.editedAt) }),
    ...(threadId === undefined ? {} : { message_thread_id: threadId }),
    ...(message.topic === undefined ? {} : { is_topic_message: true as const }),
    ...textFields(message, text, entities),
    ...message.media?.fields,
    ...(message.media?.group === undefined ? {} : { media_group_id: message.media.group }),
    ...message.service,
    ...replyFields(message, depth),
    ...(message.keyboard === undefined ? {} : { reply_markup: message.keyboard }),
    ...message.extra,
  };
}

function textFields(message: Message, text: string, entities: Message['content']['entities']): Partial<WireMessage> {
  if (text === '') return {};
  const marks = [...entities];
  if (message.media === undefined) return { text, ...(marks.length === 0 ? {} : { entities: marks }) };
  return { caption: text, ...(marks.length === 0 ? {} : { caption_entities: marks }) };
}

/** In a topic, a message that answers nothing still "replies" to the service message that opened the topic. */
function replyFields(message: Message, depth: number): Partial<WireMessage> {
  if (depth === 0) return {};
  const opener = message.chat.messages.find(({ id }) => id === message.topic?.id);
  const target = message.replyTo ?? (opener === message ? undefined : opener);
  if (target === undefined) return {};
  return {
    reply_to_message: messageToWire(target, depth - 1),
    ...(message.quote === undefined ? {} : { quote: message.quote }),
  };
}
