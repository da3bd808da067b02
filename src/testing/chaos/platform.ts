import { type ModelSimulator, startModel, text } from '../../simulator/model/index.ts';
import {
  type Bot,
  type Chat,
  startTelegram,
  type TelegramSimulator,
  type User,
} from '../../simulator/telegram/index.ts';
import { answerTo } from '../bench/stage.ts';

/** A chat with one of the bots, and who speaks in it. */
export interface Room {
  readonly chat: Chat;
  readonly bot: Bot;
  readonly people: readonly User[];
}

/** What the fleet talks to: a Telegram with many bots, and a model that repeats every number it is asked. */
export interface Platform {
  readonly telegram: TelegramSimulator;
  readonly model: ModelSimulator;
  readonly bots: readonly (Bot & { readonly token: string })[];
  readonly rooms: readonly Room[];
  /** The configuration of an Antler with a channel for each bot. */
  readonly config: object;
  stop(): Promise<void>;
}

const GROUP_EVERY = 10;
/** Long enough that some kills hit a run. */
const MODEL_MOST_MS = 40;

export async function startPlatform(bots: number, chats: number): Promise<Platform> {
  const [telegram, model] = await Promise.all([startTelegram({ flood: true }), startModel()]);
  model.handle((request) => ({
    parts: [{ kind: 'wait', ms: Math.random() * MODEL_MOST_MS }, ...partsOf(answerTo(request))],
  }));
  const made = Array.from({ length: bots }, (_, index) => telegram.addBot({ username: `chaos_${index}_bot` }));
  const rooms = Array.from({ length: chats }, (_, index): Room => {
    const bot = made[index % bots] ?? telegram.addBot({ username: 'chaos_bot' });
    const person = (): User => telegram.addUser({ firstName: 'Ann', language: 'en' });
    if (index % GROUP_EVERY !== GROUP_EVERY - 1) {
      const ann = person();
      return { chat: telegram.openPrivateChat(ann, bot), bot, people: [ann] };
    }
    const people = [person(), person(), person()];
    return { chat: telegram.addGroup({ title: `Group ${index}`, members: [...people, bot] }), bot, people };
  });
  return {
    telegram,
    model,
    bots: made,
    rooms,
    config: configFor(telegram, model, made),
    stop: async () => {
      await Promise.all([telegram.stop(), model.stop()]);
    },
  };
}

const partsOf = (answer: string) => {
  const step = text(answer);
  return 'parts' in step ? step.parts : [];
};

function configFor(
  telegram: TelegramSimulator,
  model: ModelSimulator,
  bots: readonly { readonly token: string }[],
): object {
  const channels = bots.map(({ token }, index) => [
    `telegram-${index}`,
    { type: 'telegram', bot_token: token, api_root: telegram.url },
  ]);
  return {
    version: 1,
    server: { port: 0 },
    models: [{ name: 'main', base_url: model.url, api_key: 'sk-chaos-0123456789', model: 'chaos-model' }],
    channels: { web: { enabled: false }, ...Object.fromEntries(channels) },
    log: { level: 'info' },
  };
}
