import { z } from 'zod';
import { AntlerError } from '../../../src/base/errors.ts';
import type { ChannelState, SentMessage, Target } from '../../../src/channel/port.ts';
import type { BotApi, CallOptions } from '../api.ts';
import { MigratedError } from '../errors.ts';
import type { Moves } from '../moves.ts';
import { GENERAL_TOPIC } from '../normalize/sender.ts';

/** What sending needs. */
export interface Sending {
  readonly api: BotApi;
  readonly state: ChannelState;
  readonly moves: Moves;
  /** A send has shown that a group became a supergroup. */
  readonly onMigrated: (target: Target, newChat: string) => void;
}

const sentShape = z.looseObject({ message_id: z.int() });

/** Makes one call that puts a message into a chat. */
export async function post(
  sending: Sending,
  target: Target,
  method: string,
  body: object,
  options: CallOptions,
): Promise<SentMessage> {
  const result = await following(sending, target, (to) =>
    sending.api.call(method, { ...placeOf(to), ...body }, options),
  );
  const sent = sentShape.safeParse(result);
  // It was accepted, so sending it again would say it twice.
  if (!sent.success) throw new AntlerError('uncertain', 'Telegram’s answer names no message.');
  return { id: String(sent.data.message_id) };
}

/** Calls with where `target` is now. A group that has moved is followed at once: the old one took nothing. */
export async function following<T>(
  { moves, onMigrated }: Pick<Sending, 'moves' | 'onMigrated'>,
  target: Target,
  call: (to: Target) => Promise<T>,
): Promise<T> {
  try {
    return await call(moves.current(target));
  } catch (error) {
    if (!(error instanceof MigratedError)) throw error;
    moves.note(target.chat, error.newChat);
    onMigrated(target, error.newChat);
    return await call({ chat: error.newChat, chatKind: 'group' });
  }
}

/** Where a message goes: chat, topic, and what it answers. A question that is gone does not keep the answer back. */
export function placeOf({ chat, topic, replyTo }: Target): object {
  const thread = Number(topic);
  const question = Number(replyTo);
  return {
    chat_id: chat,
    ...(Number.isSafeInteger(thread) && thread !== GENERAL_TOPIC ? { message_thread_id: thread } : {}),
    ...(Number.isSafeInteger(question) && question > 0
      ? { reply_parameters: { message_id: question, allow_sending_without_reply: true } }
      : {}),
  };
}
