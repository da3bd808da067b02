import { type ThreadKey, threadKey } from '../base/ids.ts';
import type { ChannelSettings, GroupScope } from '../channel/book.ts';
import type { InboundMessage } from '../channel/message.ts';
import type { Target } from '../channel/port.ts';

/**
 * The place whose conversation a message belongs to. A direct message belongs to its user (and topic, where direct
 * messages have topics); in a group the channel's scope says who shares a conversation.
 */
export function placeOf(
  message: Pick<InboundMessage, 'channel' | 'topic'> & {
    readonly chat: Pick<InboundMessage['chat'], 'id' | 'kind'>;
    readonly sender: Pick<InboundMessage['sender'], 'id'>;
  },
  scope: GroupScope,
): ThreadKey {
  const dm = message.chat.kind === 'dm';
  const byTopic = dm || scope === 'topic' || scope === 'topic_user';
  const byUser = !dm && (scope === 'user' || scope === 'topic_user');
  return threadKey({
    channel: message.channel,
    chat: message.chat.id,
    ...(byTopic && message.topic !== undefined ? { topic: message.topic } : {}),
    ...(byUser ? { user: message.sender.id } : {}),
  });
}

/**
 * The place in whose hearing a message is said. One that opens a topic is said in the chat, before all who are there, and
 * to the bot it is said after what stands above it in the chat.
 */
export const hearingOf = (
  message: Parameters<typeof placeOf>[0] & Pick<InboundMessage, 'id'>,
  scope: GroupScope,
): ThreadKey => {
  const { topic, ...inChat } = message;
  return placeOf(topic === undefined || topic === message.id ? inChat : message, scope);
};

/** The place that somebody's words belong to which are said where `target` is. */
export function placeAt(
  { chat, chatKind, topic }: Pick<Target, 'chat' | 'chatKind' | 'topic'>,
  user: string,
  { name, groupScope }: Pick<ChannelSettings, 'name' | 'groupScope'>,
): ThreadKey {
  return placeOf(
    {
      channel: name,
      chat: { id: chat, kind: chatKind },
      ...(topic === undefined ? {} : { topic }),
      sender: { id: user },
    },
    groupScope,
  );
}
