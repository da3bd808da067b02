import type { Role } from './roles.ts';
import type { Sentence } from './sentences.ts';

interface CommandFacts {
  /** The least that somebody must be. */
  readonly role: Role;
  /** What it does, for menus and `/help`; null: it is not listed. */
  readonly menu: Sentence | null;
  /** Its other names, as people who write Chinese type them. */
  readonly aliases: readonly string[];
}

/**
 * The commands that the bot obeys itself, the same on all platforms, in the order in which they are listed. Anything
 * else with a slash is chat: `/mnt/data is full` is a sentence.
 */
export const COMMANDS = {
  start: { role: 'guest', menu: null, aliases: [] },
  help: { role: 'guest', menu: 'menu_help', aliases: ['帮助'] },
  new: { role: 'guest', menu: 'menu_new', aliases: ['新对话', '新建'] },
  resume: { role: 'guest', menu: 'menu_resume', aliases: ['恢复'] },
  threads: { role: 'guest', menu: 'menu_threads', aliases: ['对话'] },
  status: { role: 'guest', menu: 'menu_status', aliases: ['状态'] },
  stop: { role: 'guest', menu: 'menu_stop', aliases: ['停止'] },
  again: { role: 'guest', menu: 'menu_again', aliases: ['重发'] },
  model: { role: 'guest', menu: 'menu_model', aliases: ['模型'] },
  assistant: { role: 'guest', menu: 'menu_assistant', aliases: ['助手'] },
  memory: { role: 'guest', menu: 'menu_memory', aliases: ['记忆'] },
  usage: { role: 'guest', menu: 'menu_usage', aliases: ['用量'] },
  link: { role: 'guest', menu: 'menu_link', aliases: ['关联'] },
  lang: { role: 'guest', menu: 'menu_lang', aliases: ['语言'] },
  whoami: { role: 'guest', menu: 'menu_whoami', aliases: ['我是谁'] },
  claim: { role: 'guest', menu: null, aliases: [] },
  who: { role: 'operator', menu: 'menu_who', aliases: [] },
  pause: { role: 'operator', menu: 'menu_pause', aliases: [] },
  'resume-bot': { role: 'operator', menu: 'menu_resume_bot', aliases: [] },
  pair: { role: 'admin', menu: 'menu_pair', aliases: [] },
  broadcast: { role: 'admin', menu: 'menu_broadcast', aliases: [] },
} as const satisfies Readonly<Record<string, CommandFacts>>;

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

/** What everybody may be offered, with what it does: for the menus of platforms. */
export const MENU: readonly { readonly name: CommandName; readonly menu: Sentence }[] = COMMAND_NAMES.flatMap(
  (name) => {
    const { role, menu } = COMMANDS[name];
    return role === 'guest' && menu !== null ? [{ name, menu }] : [];
  },
);
