import type { Quote } from '../../../src/channel/message.ts';
import type { BotIdentity } from '../api.ts';
import { contentOf, readable } from './content.ts';
import { originName, senderOf } from './sender.ts';
import type { Message, RepliedMessage } from './wire.ts';

/**
 * The message that this one answers. In a forum every message "answers" the service message that opened the topic;
 * that is no reply.
 */
export function repliedTo(message: Message): RepliedMessage | undefined {
  const replied = message.reply_to_message;
  return replied === undefined || replied.forum_topic_created !== undefined ? undefined : replied;
}

export const isOwn = (message: RepliedMessage, bot: BotIdentity): boolean => message.from?.id === bot.id;

/** What a message quotes: the part the person chose, else all of the message it answers, here or in another chat. */
export function quoteOf(message: Message, bot: BotIdentity): Quote | undefined {
  const chosen = message.quote?.text;
  const replied = repliedTo(message);
  if (replied !== undefined) {
    const content = contentOf(replied);
    return {
      messageId: String(replied.message_id),
      author: senderOf(replied).name,
      fromBot: isOwn(replied, bot),
      text: chosen ?? readable(content),
      files: content.files,
    };
  }
  const external = message.external_reply;
  if (external === undefined) return chosen === undefined ? undefined : { fromBot: false, text: chosen, files: [] };
  const content = contentOf(external);
  return {
    ...(external.origin === undefined ? {} : { author: originName(external.origin) }),
    fromBot: external.origin?.sender_user?.id === bot.id,
    text: chosen ?? readable(content),
    files: content.files,
  };
}
