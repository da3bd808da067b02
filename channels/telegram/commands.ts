import { type Language, type Sentence, say } from '../../src/base/sentences.ts';
import type { BotApi } from './api.ts';

/** The menu that Telegram's apps show behind the `/` key. */
const menu = [
  ['new', 'menu_new'],
  ['stop', 'menu_stop'],
  ['again', 'menu_again'],
  ['status', 'menu_status'],
  ['help', 'menu_help'],
  ['whoami', 'menu_whoami'],
] as const satisfies readonly (readonly [string, Sentence])[];

const commandsIn = (language: Language): { command: string; description: string }[] =>
  menu.map(([command, sentence]) => ({ command, description: say(language, sentence) }));

/** English for everybody, Chinese for apps in Chinese. */
export async function publishCommands(api: BotApi, signal: AbortSignal): Promise<void> {
  const options = { signal, idempotent: true };
  await api.call('setMyCommands', { commands: commandsIn('en') }, options);
  await api.call('setMyCommands', { commands: commandsIn('zh'), language_code: 'zh' }, options);
}
