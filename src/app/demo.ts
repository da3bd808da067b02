import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { webhookUrl } from '../channel/webhook-url.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema/config.ts';
import { startDemoPage } from '../simulator/demo/index.ts';
import { playFeishu } from '../simulator/play/feishu.ts';
import { playIlink } from '../simulator/play/ilink.ts';
import type { Playground } from '../simulator/play/port.ts';
import { playSlack } from '../simulator/play/slack.ts';
import { playTelegram } from '../simulator/play/telegram.ts';
import { playWecom } from '../simulator/play/wecom.ts';
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

/** In the order of the page's tabs. Each keeps to its platform's rates, so that the demo is as fast as the real thing. */
const platforms: readonly (() => Promise<Playground>)[] = [
  () => playTelegram({ flood: true }),
  () => playSlack({ rates: true }),
  () => playFeishu({ flood: true }),
  () => playWecom({ flood: true }),
  () => playIlink({ scans: 'player' }),
];

/** Everything offline: simulated platforms, their people on a page, the real adapters, the demo model. Keeps nothing. */
export async function startDemo({ host = '127.0.0.1', port = DEMO_PORT, log }: DemoOptions): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'antler-demo-'));
  /** What is to be stopped, the newest first. */
  const running: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const end of running.splice(0).toReversed()) await end();
  };
  try {
    const plays = await Promise.all(platforms.map((start) => start()));
    running.push(...plays.map((play) => () => play.stop()));
    const antler = await startAntler({
      config: demoConfig(folder, plays),
      roles: { gateway: true, worker: true },
      log,
      secretKey: undefined,
    });
    running.push(() => antler.stop(1_000));
    const antlerUrl = antler.url ?? '';
    await Promise.all(plays.map((play) => play.connect?.(webhookUrl(antlerUrl, play.type))));
    const page = await startDemoPage({ plays, host, port });
    running.push(() => page.stop());
    return { url: page.url, antlerUrl, stop };
  } catch (error) {
    await stop().catch(() => {}); // the first error is the one to tell
    throw error;
  }
}

/** Written as a file, so that it is read and checked like anybody's; JSON is YAML. */
function demoConfig(folder: string, plays: readonly Playground[]): Config {
  const path = join(folder, 'config.yaml');
  const written = {
    data_dir: join(folder, 'data'),
    models: [{ name: 'demo', demo: true }],
    channels: Object.fromEntries(plays.map(({ type, settings }) => [type, settings])),
  };
  writeFileSync(path, JSON.stringify(written));
  const loaded = loadConfig({ path, env: {}, manifests, port: 0 });
  if (!loaded.ok) throw new AntlerError('internal', loaded.problems.map(({ text }) => text).join('; '));
  return loaded.config;
}
