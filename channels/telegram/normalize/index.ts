import type { InboundMessage } from '../../../src/channel/message.ts';
import type { NormalizeContext } from './context.ts';
import { convertOwnMembership, convertPress, convertReactions } from './events.ts';
import { convertMessage } from './message.ts';
import { placeholderOf } from './placeholder.ts';
import { type Update, updateShape } from './wire.ts';

export type { NormalizeContext } from './context.ts';
export { placeholderOf } from './placeholder.ts';

/**
 * Reads one update. Null means that there is nothing in it for anybody. What cannot be read but was said in a chat
 * becomes a placeholder; this never throws.
 */
export function normalize(update: unknown, context: NormalizeContext): InboundMessage | null {
  try {
    const parsed = updateShape.safeParse(update);
    return parsed.success ? convert(parsed.data, context) : placeholderOf(update, context);
  } catch {
    return placeholderOf(update, context);
  }
}

function convert(update: Update, context: NormalizeContext): InboundMessage | null {
  const message = update.message ?? update.channel_post;
  if (message !== undefined) return convertMessage(message, 'message', context);
  const edited = update.edited_message ?? update.edited_channel_post;
  if (edited !== undefined) return convertMessage(edited, 'edit', context);
  if (update.callback_query !== undefined) return convertPress(update.callback_query, context);
  if (update.my_chat_member !== undefined)
    return convertOwnMembership(update.my_chat_member, update.update_id, context);
  if (update.message_reaction !== undefined) return convertReactions(update.message_reaction, context);
  return null;
}
