import { type ModelSimulator, startModel, text } from '../../simulator/model/index.ts';
import type { ChatRequest } from '../../simulator/model/wire.ts';
import { type Bot, type Chat, startTelegram, type TelegramSimulator } from '../../simulator/telegram/index.ts';

/** A Telegram and a model of one's own: what one subject of the measurement talks to. */
export interface Stage {
  readonly telegram: TelegramSimulator;
  readonly model: ModelSimulator;
  readonly bot: Bot & { readonly token: string };
  /** The environment that connects a bot to them. */
  readonly env: Readonly<Record<string, string>>;
  /** The private chat of somebody new with the bot. */
  newChat(): Chat;
  stop(): Promise<void>;
}

/** Flood control as Telegram describes it is on: who sends too fast is refused, as in real life. */
export async function setStage(): Promise<Stage> {
  const [telegram, model] = await Promise.all([startTelegram({ flood: true }), startModel()]);
  const bot = telegram.addBot({ username: 'bench_bot' });
  model.handle((request) => text(answerTo(request)));
  let people = 0;
  return {
    telegram,
    model,
    bot,
    env: {
      TELEGRAM_BOT_TOKEN: bot.token,
      TELEGRAM_API_ROOT: telegram.url,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'sk-bench-0123456789',
      OPENAI_MODEL: 'bench-model',
    },
    newChat: () => {
      people += 1;
      const person = telegram.addUser({ firstName: `Person ${people}`, language: 'en' });
      return telegram.openPrivateChat(person, bot);
    },
    stop: async () => {
      await Promise.all([telegram.stop(), model.stop()]);
    },
  };
}

/** A text that can be told from all others. */
export const tagged = (number: number): string => `Hello, this is question q${number}.`;

export const tagsIn = (said: string): readonly string[] => said.match(/\bq\d+\b/g) ?? [];

/** The simulated model answers everything that was asked since its last answer, in one piece and at once. */
export function answerTo({ messages }: ChatRequest): string {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant');
  const asked = messages.slice(answered + 1).filter(({ role }) => role === 'user');
  return `Answer to ${asked.flatMap((message) => tagsIn(message.text ?? '')).join(', ')}.`;
}
