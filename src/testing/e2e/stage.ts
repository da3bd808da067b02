import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Config } from '../../config/schema/config.ts';
import { type ModelSimulator, startModel } from '../../simulator/model/index.ts';
import {
  type Chat,
  type Message,
  startTelegram,
  type TelegramSimulator,
  type User,
} from '../../simulator/telegram/index.ts';
import { postgresForTests, startRedis } from '../services.ts';
import { configFor, environmentFor, startHere } from './antler.ts';

/** On what the bus and the database run. */
export type Ground = 'embedded' | 'servers';

/** A Telegram, a scripted model, and two people who know the bot; Antler itself is started by the test. */
export interface Stage {
  readonly telegram: TelegramSimulator;
  readonly model: ModelSimulator;
  readonly bot: TelegramSimulator['bots'][number] & { readonly token: string };
  readonly ann: User;
  readonly bo: User;
  /** Ann's private chat with the bot. */
  readonly dm: Chat;
  /** The environment that connects an Antler to all this, and nothing else. */
  readonly env: Record<string, string>;
  readonly folder: string;
  /** Says something and waits for the next message of the bot in that chat that is final by its text. */
  ask(text: string, expected: RegExp, who?: User, chat?: Chat): Promise<Message>;
  /** What the bot has said in a chat, oldest first. */
  said(chat: Chat): string[];
}

export async function setStage(t: TestContext, ground: Ground = 'embedded'): Promise<Stage> {
  const [telegram, model] = await Promise.all([startTelegram(), startModel()]);
  const folder = mkdtempSync(join(tmpdir(), 'antler-e2e-'));
  t.after(async () => {
    await Promise.all([telegram.stop(), model.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const bot = telegram.addBot({ username: 'antler_bot', name: 'Antler', privacy: false });
  const ann = telegram.addUser({ firstName: 'Ann', username: 'ann', language: 'en' });
  const bo = telegram.addUser({ firstName: '小波', username: 'bo', language: 'zh-hans' });
  const dm = telegram.openPrivateChat(ann, bot);
  const env: Record<string, string> = {
    TELEGRAM_BOT_TOKEN: bot.token,
    TELEGRAM_API_ROOT: telegram.url,
    ...environmentFor(model, folder),
  };
  if (ground === 'servers') Object.assign(env, await servers(t));
  const said = (chat: Chat): string[] =>
    telegram
      .visible(chat)
      .filter(({ from }) => from.id === bot.user.id)
      .map(({ content }) => content.text);
  return {
    telegram,
    model,
    bot,
    ann,
    bo,
    dm,
    env,
    folder,
    said,
    ask: (text, expected, who = ann, chat = dm) => {
      const { id } = telegram.people.say(who, chat, text);
      return telegram.waitFor(
        chat,
        (message) => message.id > id && message.from.id === bot.user.id && expected.test(message.content.text),
        10_000,
      );
    },
  };
}

/** A Redis of its own, since two installations on one Redis are one installation, and a database of its own. */
async function servers(t: TestContext): Promise<Record<string, string>> {
  const [redis, postgres] = await Promise.all([startRedis(), postgresForTests()]);
  t.after(() => Promise.all([redis.stop(), postgres.stop()]));
  return { REDIS_URL: redis.url, DATABASE_URL: postgres.url };
}

/** The configuration that a stage's environment amounts to. */
export const configOf = (stage: Stage, extra: Record<string, string> = {}): Config =>
  configFor({ ...stage.env, ...extra }, stage.folder);

/** Antler with all roles in this process, stopped after the test. */
export const playAntler = (t: TestContext, stage: Stage, config = configOf(stage)) => startHere(t, config);
