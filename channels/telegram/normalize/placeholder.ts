import { z } from 'zod';
import type { InboundMessage } from '../../../src/channel/message.ts';
import { inboundBase, type NormalizeContext } from './context.ts';

const id = z.union([z.int(), z.string().max(64)]);
const bones = z.looseObject({
  message_id: id,
  date: z.number().optional().catch(undefined),
  chat: z.looseObject({ id, type: z.string().catch('private') }),
  from: z.looseObject({ id }).optional().catch(undefined),
});
const skeleton = z.looseObject({ message: bones });

/**
 * A message of which nothing could be used but who said it where, so that somebody is told rather than nobody. Null
 * when not even that much is there, and for anything but new messages.
 */
export function placeholderOf(update: unknown, context: NormalizeContext): InboundMessage | null {
  const parsed = skeleton.safeParse(update);
  if (!parsed.success) return null;
  const { chat, from, message_id: messageId, date } = parsed.data.message;
  if (from?.id === context.bot.id) return null;
  const isPrivate = chat.type === 'private';
  const sender = String(from?.id ?? chat.id);
  return {
    ...inboundBase(context),
    chat: { id: String(chat.id), kind: isPrivate ? 'dm' : 'group' },
    id: String(messageId),
    kind: 'message',
    sender: { id: sender, name: sender, isBot: false },
    sentAt: date === undefined ? context.now : date * 1_000,
    text: '[message]',
    addressed: isPrivate ? 'dm' : 'none',
    mentions: [],
    files: [],
  };
}
