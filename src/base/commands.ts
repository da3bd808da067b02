import { isAtLeast, type Role } from './roles.ts';
import type { Sentence } from './sentences.ts';

interface CommandFacts {
  /** The least that somebody must be. */
  readonly role: Role;
  /** What it does, for menus and `/help`; null: it is not listed. */
  readonly menu: Sentence | null;
  /** Can more stand behind it? */
  readonly args: boolean;
  /** Its other names, as people who write Chinese type them. */
  readonly aliases: readonly string[];
}

/**
 * The commands that the bot obeys itself, the same on all platforms, in the order in which they are listed. Anything
 * else with a slash is chat: `/mnt/data is full` is a sentence.
 */
export const COMMANDS = {
  start: { role: 'guest', menu: null, args: true, aliases: [] },
  help: { role: 'guest', menu: 'menu_help', args: false, aliases: ['帮助'] },
  new: { role: 'guest', menu: 'menu_new', args: false, aliases: ['新对话', '新建'] },
  resume: { role: 'guest', menu: 'menu_resume', args: true, aliases: ['恢复'] },
  threads: { role: 'guest', menu: 'menu_threads', args: false, aliases: ['对话'] },
  status: { role: 'guest', menu: 'menu_status', args: false, aliases: ['状态'] },
  stop: { role: 'guest', menu: 'menu_stop', args: false, aliases: ['停止'] },
  again: { role: 'guest', menu: 'menu_again', args: false, aliases: ['重发'] },
  task: { role: 'member', menu: 'menu_task', args: true, aliases: ['任务'] },
  tasks: { role: 'member', menu: 'menu_tasks', args: true, aliases: ['任务列表'] },
  model: { role: 'guest', menu: 'menu_model', args: true, aliases: ['模型'] },
  assistant: { role: 'guest', menu: 'menu_assistant', args: true, aliases: ['助手'] },
  memory: { role: 'guest', menu: 'menu_memory', args: true, aliases: ['记忆'] },
  at: { role: 'member', menu: 'menu_at', args: true, aliases: ['定时'] },
  every: { role: 'member', menu: 'menu_every', args: true, aliases: ['每'] },
  schedules: { role: 'member', menu: 'menu_schedules', args: true, aliases: ['日程'] },
  usage: { role: 'guest', menu: 'menu_usage', args: true, aliases: ['用量'] },
  link: { role: 'guest', menu: 'menu_link', args: true, aliases: ['关联'] },
  lang: { role: 'guest', menu: 'menu_lang', args: true, aliases: ['语言'] },
  whoami: { role: 'guest', menu: 'menu_whoami', args: false, aliases: ['我是谁'] },
  claim: { role: 'guest', menu: null, args: true, aliases: [] },
  who: { role: 'operator', menu: 'menu_who', args: false, aliases: [] },
  pause: { role: 'operator', menu: 'menu_pause', args: false, aliases: [] },
  'resume-bot': { role: 'operator', menu: 'menu_resume_bot', args: false, aliases: [] },
  pair: { role: 'admin', menu: 'menu_pair', args: true, aliases: [] },
  broadcast: { role: 'admin', menu: 'menu_broadcast', args: true, aliases: [] },
} as const satisfies Readonly<Record<string, CommandFacts>>;

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

const byWord: ReadonlyMap<string, CommandName> = new Map(
  COMMAND_NAMES.flatMap((name) => [name, ...COMMANDS[name].aliases].map((word) => [word, name] as const)),
);

/** The command of this name, in either script and whatever its capital letters; undefined when there is none. */
export const commandNamed = (word: string): CommandName | undefined => byWord.get(word.toLowerCase());

/** What people who are let in are offered, with what it does: for the menus of platforms. */
export const MENU: readonly { readonly name: CommandName; readonly menu: Sentence }[] = COMMAND_NAMES.flatMap(
  (name) => {
    const { role, menu } = COMMANDS[name];
    return isAtLeast('member', role) && menu !== null ? [{ name, menu }] : [];
  },
);
