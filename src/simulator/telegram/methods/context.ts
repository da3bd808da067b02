import { badRequest, forbidden } from '../api-error.ts';
import type { Bot } from '../bot.ts';
import { type Chat, isPresent } from '../chat.ts';
import type { Flood } from '../flood.ts';
import type { Params } from '../params.ts';
import type { World } from '../world.ts';

/** One call of a method, with what it may act on. */
export interface Call {
  readonly world: World;
  readonly bot: Bot;
  readonly params: Params;
  readonly flood: Flood | undefined;
  /** Aborts when the caller hung up or the server stops. */
  readonly signal: AbortSignal;
}

/** Returns the `result` of the answer, or throws an ApiError. */
export type Method = (call: Call) => unknown;

/** The chat named by `chat_id`. */
export function chatOf({ world, bot, params }: Call): Chat {
  if (!params.has('chat_id')) throw badRequest('chat_id is empty');
  const chat = world.findChat(bot, params.text('chat_id'));
  if (chat === undefined) throw badRequest('chat not found');
  return chat;
}

/** The chat named by `chat_id`, where the bot must be able to act. */
export function reachableChatOf(call: Call): Chat {
  const chat = chatOf(call);
  if (chat.migratedTo !== undefined)
    throw badRequest('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: chat.migratedTo });
  const { user } = call.bot;
  if (isPresent(chat, user.id)) return chat;
  if (chat.kind === 'private') throw forbidden('bot was blocked by the user');
  const kicked = chat.members.get(user.id)?.status === 'kicked';
  throw forbidden(
    kicked ? `bot was kicked from the ${chat.kind} chat` : `bot is not a member of the ${chat.kind} chat`,
  );
}

/** A chat in which the bot may say something now. */
export function writableChatOf(call: Call): Chat {
  const chat = reachableChatOf(call);
  if (chat.readOnly && chat.members.get(call.bot.user.id)?.status !== 'administrator')
    throw badRequest('not enough rights to send text messages to the chat');
  return chat;
}
