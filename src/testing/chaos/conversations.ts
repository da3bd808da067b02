import type { CallRecord } from '../../simulator/telegram/calls.ts';
import type { Message } from '../../simulator/telegram/index.ts';
import type { Crowd } from './crowd.ts';
import type { Platform } from './platform.ts';
import { numbersIn } from './set-aside.ts';
import type { Conversation } from './verdict.ts';

/** A message is made at once when its call has come. */
const SAME_MS = 1_000;

/** What the platform shows at the end, chat by chat. */
export function conversationsOf({ telegram }: Platform, { asked }: Crowd): readonly Conversation[] {
  const stands = telegram.calls.list('sendMessage').filter(isStand);
  return [...asked].map(([{ chat, bot }, numbers]) => ({
    asked: numbers,
    answers: telegram
      .visible(chat)
      .filter(({ from }) => from.id === bot.user.id)
      .map((message) => ({
        numbers: numbersIn(message.content.text),
        orphaned: message.history.length === 1 && stands.some((call) => isOf(call, message)),
      })),
  }));
}

/** The adapter asks for link previews only once a text is whole. */
const isStand = ({ params }: CallRecord): boolean => params.link_preview_options !== undefined;

const isOf = ({ params, at }: CallRecord, message: Message): boolean =>
  String(params.chat_id) === String(message.chat.id) &&
  params.text === message.history[0]?.text &&
  Math.abs(at - message.at) < SAME_MS;
