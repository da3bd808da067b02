import { MENU } from '../../src/base/commands.ts';
import { type Language, say } from '../../src/base/sentences.ts';
import type { BotApi } from './api.ts';

/** The menu that Telegram's apps show behind the `/` key. */
const commandsIn = (language: Language): { command: string; description: string }[] =>
  MENU.map(({ name, menu }) => ({ command: name, description: say(language, menu) }));

/** English for everybody, Chinese for apps in Chinese. */
export async function publishCommands(api: BotApi, signal: AbortSignal): Promise<void> {
  const options = { signal, idempotent: true };
  await api.call('setMyCommands', { commands: commandsIn('en') }, options);
  await api.call('setMyCommands', { commands: commandsIn('zh'), language_code: 'zh' }, options);
}
