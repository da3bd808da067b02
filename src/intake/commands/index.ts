import { COMMAND_NAMES, COMMANDS, type CommandName } from '../../base/commands.ts';
import { isAtLeast } from '../../base/roles.ts';
import { say } from '../../base/sentences.ts';
import type { Command } from '../command.ts';
import { broadcast, pair, pause, resumeBot, who } from './admin.ts';
import { chooseAssistant, chooseModel } from './choice.ts';
import { listThreads, resume, sendAgain, startAfresh, status, stop } from './conversation.ts';
import { chooseLanguage, claim, link, whoami } from './person.ts';
import type { CommandScene, Handler } from './scene.ts';

/** The commands that the asker may use here. */
const help: Handler = ({ language, who: { role }, router }) => {
  const lines = COMMAND_NAMES.flatMap((name) => {
    const { menu, role: needed } = COMMANDS[name];
    const offered = menu !== null && isAtLeast(role, needed) && router.mayCommand(role, name);
    return offered ? [`- /${name} — ${say(language, menu)}`] : [];
  });
  return `${say(language, 'help')}\n\n${lines.join('\n')}`;
};

const own: Readonly<Partial<Record<CommandName, Handler>>> = {
  start: ({ language }) => say(language, 'start'),
  help,
  new: startAfresh,
  resume,
  threads: listThreads,
  status,
  stop,
  again: sendAgain,
  model: chooseModel,
  assistant: chooseAssistant,
  lang: chooseLanguage,
  link,
  whoami,
  claim,
  who,
  pause,
  'resume-bot': resumeBot,
  pair,
  broadcast,
};

/** Does a command for whoever may use it, and returns what to say; null when the answer comes from elsewhere. */
export async function answerCommand({ name, args }: Command, scene: CommandScene): Promise<string | null> {
  const { language, who: asker, router } = scene;
  const { role } = COMMANDS[name];
  if (!isAtLeast(asker.role, role)) {
    if (role === 'member') return say(language, 'command_denied', { command: `/${name}` });
    return say(language, role === 'operator' ? 'operators_only' : 'admins_only');
  }
  if (!router.mayCommand(asker.role, name)) return say(language, 'command_denied', { command: `/${name}` });
  const handler = own[name] ?? scene.more[name];
  return handler === undefined ? say(language, 'command_off', { command: `/${name}` }) : handler(scene, args);
}
