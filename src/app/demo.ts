import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema/config.ts';
import { modelSchema } from '../config/schema/model.ts';
import { startDemoPage } from '../simulator/demo/index.ts';
import { startTelegram } from '../simulator/telegram/index.ts';
import { startAntler } from './antler.ts';
import { manifests } from './channels.ts';

export interface Demo {
  /** The page on which one plays the people. */
  readonly url: string;
  /** Antler's own page. */
  readonly antlerUrl: string;
  stop(): Promise<void>;
}

export interface DemoOptions {
  readonly host?: string;
  /** Of the demo's page; Antler's own page takes any free port. */
  readonly port?: number;
  readonly log: Logger;
}

const DEMO_PORT = 2027;

/** Everything offline: a simulated Telegram, its people on a page, the real adapter, the demo model. Keeps nothing. */
export async function startDemo({ host = '127.0.0.1', port = DEMO_PORT, log }: DemoOptions): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'antler-demo-'));
  const telegram = await startTelegram({ flood: true });
  const bot = telegram.addBot({ username: 'antler_bot', name: 'Antler' });
  const antler = await startAntler({
    config: demoConfig(folder, telegram.url, bot.token),
    roles: { gateway: true, worker: true },
    log,
    secretKey: undefined,
  });
  const page = await startDemoPage({ telegram, bot, host, port });
  return {
    url: page.url,
    antlerUrl: antler.url ?? '',
    stop: async () => {
      await page.stop();
      await antler.stop(1_000);
      await telegram.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function demoConfig(folder: string, apiRoot: string, token: string): Config {
  const env = { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot, ANTLER_DATA_DIR: folder };
  const loaded = loadConfig({ env, manifests, port: 0, cwd: folder });
  if (!loaded.ok) throw new AntlerError('internal', loaded.problems.map(({ text }) => text).join('; '));
  return { ...loaded.config, models: [modelSchema.parse({ name: 'demo', demo: true })] };
}
