import type { Bot } from './bot.ts';
import { isPresent, type Message } from './chat.ts';

const sameName = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && a.toLowerCase() === b?.toLowerCase();

/**
 * Whether a bot receives a message: it must be there; it never hears other bots; with privacy mode on it hears in
 * groups only service messages, commands, mentions of it and replies to it, unless it is an administrator.
 * Source: https://core.telegram.org/bots/features#privacy-mode
 */
export function hears(bot: Bot, message: Message): boolean {
  const { chat, from } = message;
  if (from.isBot) return false;
  if (chat.kind === 'private') return chat.bot?.id === bot.user.id;
  if (!isPresent(chat, bot.user.id)) return false;
  if (!bot.privacy || message.service !== undefined || chat.members.get(bot.user.id)?.status === 'administrator')
    return true;
  return (
    message.replyTo?.from.id === bot.user.id ||
    message.content.entities.some((entity) => concerns(bot, message, entity))
  );
}

function concerns(bot: Bot, message: Message, entity: Message['content']['entities'][number]): boolean {
  const said = message.content.text.slice(entity.offset, entity.offset + entity.length);
  if (entity.type === 'mention') return sameName(said.slice(1), bot.user.username);
  if (entity.type === 'text_mention') return entity.user?.id === bot.user.id;
  if (entity.type !== 'bot_command') return false;
  const [, addressee] = said.split('@');
  // A bare command goes to the bot that spoke last, or to the only one there is.
  if (addressee === undefined) return lastBotId(message) === bot.user.id;
  return sameName(addressee, bot.user.username);
}

function lastBotId({ chat }: Message): number | undefined {
  const spoke = chat.messages.findLast(({ from, service }) => from.isBot && service === undefined);
  if (spoke !== undefined) return spoke.from.id;
  const bots = [...chat.members.values()].filter(({ user }) => user.isBot && isPresent(chat, user.id));
  return bots.length === 1 ? bots[0]?.user.id : undefined;
}
