import type { AccessPolicy } from '../channel/book.ts';
import type { ChatRef, InboundMessage } from '../channel/message.ts';
import type { ChatMoves } from '../store/port.ts';

/**
 * A chat as the channel's list of groups knows it: who listed it by an id that it had before meant this very chat. Asks
 * the database only about groups that are not listed by the id they have now.
 */
export async function asListed(
  chat: ChatRef,
  channel: string,
  { groups, allowGroups }: Pick<AccessPolicy, 'groups' | 'allowGroups'>,
  moves: Pick<ChatMoves, 'formerIds'>,
): Promise<ChatRef> {
  if (chat.kind === 'dm' || groups !== 'allowlist' || allowGroups.includes(chat.id)) return chat;
  const listed = (await moves.formerIds(channel, chat.id)).find((id) => allowGroups.includes(id));
  return listed === undefined ? chat : { ...chat, id: listed };
}

/**
 * The chat of a message by the id that it has now. What is done to messages from before the move, such as a press of
 * their buttons, still names the old one; what people write names the new.
 */
export async function presentChat(
  { kind, channel, chat }: Pick<InboundMessage, 'kind' | 'channel' | 'chat'>,
  moves: Pick<ChatMoves, 'presentId'>,
): Promise<ChatRef> {
  if (kind === 'message' || chat.kind === 'dm') return chat;
  const id = await moves.presentId(channel, chat.id);
  return id === null ? chat : { ...chat, id };
}
