import type { Quote } from '../../../src/channel/message.ts';
import type { BotIdentity } from '../api.ts';
import { type Content, contentOf, storyContent } from './content.ts';
import { originName, senderOf } from './sender.ts';
import { withLinks } from './text.ts';
import type { Message, RepliedMessage } from './wire.ts';

/**
 * The message that this one answers. In a forum every message "answers" the service message that opened the topic;
 * that is no reply.
 */
export function repliedTo(message: Message): RepliedMessage | undefined {
  const replied = message.reply_to_message;
  const isOpening =
    replied?.forum_topic_created !== undefined ||
    (message.is_topic_message === true && replied?.message_id === message.message_thread_id);
  return isOpening ? undefined : replied;
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
      text: chosen ?? shownText(content),
      files: content.files,
    };
  }
  if (message.reply_to_story !== undefined) {
    const { placeholder = '' } = storyContent(message.reply_to_story);
    return { fromBot: false, text: placeholder, files: [] };
  }
  const external = message.external_reply;
  if (external === undefined) return chosen === undefined ? undefined : { fromBot: false, text: chosen, files: [] };
  const content = contentOf(external);
  return {
    ...(external.origin === undefined ? {} : { author: originName(external.origin) }),
    fromBot: external.origin?.sender_user?.id === bot.id,
    text: chosen ?? shownText(content),
    files: content.files,
  };
}

const shownText = (content: Content): string =>
  content.text === '' ? content.placeholder : withLinks(content.text, content.entities);
