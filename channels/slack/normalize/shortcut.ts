import type { InboundMessage } from '../../../src/channel/message.ts';
import { safeName } from '../../../src/format/safe-name.ts';
import { contentOf } from './content.ts';
import { inboundBase, type NormalizeContext } from './context.ts';
import { personOf } from './events.ts';
import { chatRefOf, timeOf, topicOf } from './place.ts';
import type { Shortcut } from './wire.ts';

/**
 * A message's menu has the app's shortcuts: whoever chooses one asks about that message. It is answered in the
 * message's thread. https://docs.slack.dev/interactivity/implementing-shortcuts#messages
 */
export function convertShortcut(shortcut: Shortcut, context: NormalizeContext): InboundMessage {
  const { channel, message, user, action_ts: actedAt, trigger_id: trigger } = shortcut;
  const { bot, names, now } = context;
  const chat = chatRefOf(channel.id, names, channel.name === 'directmessage' ? 'im' : undefined);
  const topic = topicOf(chat, message);
  const { text, files } = contentOf(message, bot, names);
  const author = message.user ?? message.bot_id;
  return {
    ...inboundBase(context),
    chat,
    ...(topic === undefined ? {} : { topic }),
    id: `shortcut/${trigger ?? actedAt ?? `${user.id}/${now}`}`,
    kind: 'message',
    sender: personOf(user.id, context, user.name ?? user.username),
    sentAt: actedAt === undefined ? now : timeOf(actedAt),
    text: '[asks about this message]',
    addressed: chat.kind === 'dm' ? 'dm' : 'command',
    mentions: [],
    quote: {
      messageId: message.ts,
      ...(author === undefined ? {} : { author: safeName(names.user(author)?.name, message.username, author) }),
      fromBot: author === bot.userId || message.bot_id === bot.botId,
      text,
      files,
    },
    files: [],
  };
}
