import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { createDesk } from '../../../src/channel/testing/desk.ts';
import { startTelegram, type TelegramOptions } from '../../../src/simulator/telegram/index.ts';
import { type TelegramConfig, telegramConfig } from '../config.ts';
import { telegram as manifest } from '../index.ts';

/** Runs ten times as fast as time does, so that an album is complete after 70 ms. */
export const hastyClock: Clock = {
  now: () => Date.now() * 10,
  sleep: (ms, signal) => systemClock.sleep(ms / 10, signal),
};

export interface RigOptions {
  readonly clock?: Clock;
  readonly token?: string;
  readonly config?: Partial<TelegramConfig>;
  /** What the adapter remembers; shared by two rigs, they are replicas. */
  readonly memory?: Map<string, string>;
  readonly telegram?: TelegramOptions;
}

/** The real adapter on a simulated Telegram, with an intake that keeps what it takes. */
export async function startRig({ token, config, memory, clock, telegram: options }: RigOptions = {}) {
  const telegram = await startTelegram(options);
  const bot = telegram.addBot({ username: 'antler_bot' });
  const ann = telegram.addUser({ firstName: 'Ann', language: 'en' });
  const bob = telegram.addUser({ firstName: 'Bob' });
  const direct = telegram.openPrivateChat(ann, bot);
  const desk = createDesk({
    channel: 'telegram',
    config: telegramConfig.parse({ bot_token: token ?? bot.token, api_root: telegram.url, ...config }),
    ...(memory === undefined ? {} : { memory }),
    ...(clock === undefined ? {} : { clock }),
  });
  const { context, inbox, statuses, logged } = desk;
  const adapter = await manifest.create(context);
  return {
    ...{ telegram, adapter, manifest, inbox, statuses, logged, bot, ann, bob, direct, token: context.config.bot_token },
    target: { chat: String(direct.id), chatKind: 'dm' as const },
    stop: async () => {
      await adapter.stop();
      await telegram.stop();
    },
  };
}
