import { badRequest } from '../api-error.ts';
import type { BotCommand } from '../bot.ts';
import { userToWire } from '../chat.ts';
import { isRecord, type Params } from '../params.ts';
import type { Method } from './context.ts';

const getMe: Method = ({ bot }) => ({
  ...userToWire(bot.user),
  can_join_groups: true,
  can_read_all_group_messages: !bot.privacy,
  supports_inline_queries: false,
  has_main_web_app: false,
});

/** Commands are kept apart by scope and language. */
const commandsKey = (params: Params): string =>
  `${JSON.stringify(params.json('scope') ?? { type: 'default' })}/${params.text('language_code')}`;

function readCommands(list: unknown, most: number): BotCommand[] {
  if (!Array.isArray(list)) throw badRequest("can't parse commands: expected an Array");
  if (list.length > most) throw badRequest('BOT_COMMANDS_TOO_MUCH');
  return list.map((entry) => {
    const { command, description } = isRecord(entry) ? entry : {};
    const name = String(command ?? '').replace(/^\//, '');
    if (!/^[a-z0-9_]{1,32}$/.test(name)) throw badRequest('BOT_COMMAND_INVALID');
    if (typeof description !== 'string' || description === '' || description.length > 256)
      throw badRequest('BOT_COMMAND_DESCRIPTION_INVALID');
    return { command: name, description };
  });
}

const setMyCommands: Method = ({ bot, params, world }) => {
  bot.commands.set(commandsKey(params), readCommands(params.json('commands'), world.limits.maxCommands));
  return true;
};

const getMyCommands: Method = ({ bot, params }) => bot.commands.get(commandsKey(params)) ?? [];

const deleteMyCommands: Method = ({ bot, params }) => {
  bot.commands.delete(commandsKey(params));
  return true;
};

export const accountMethods: Readonly<Record<string, Method>> = {
  getMe,
  setMyCommands,
  getMyCommands,
  deleteMyCommands,
};
