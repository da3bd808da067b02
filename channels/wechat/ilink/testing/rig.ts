import type { Clock } from '../../../../src/base/clock.ts';
import type { Broadcast, ConnectionStatus } from '../../../../src/channel/port.ts';
import { createDesk } from '../../../../src/channel/testing/desk.ts';
import { startIlink } from '../../../../src/simulator/wechat/ilink/index.ts';
import { type WechatConfig, wechatConfig } from '../../config.ts';
import { wechat as manifest } from '../../index.ts';

export interface RigOptions {
  readonly config?: Partial<WechatConfig>;
  readonly clock?: Clock;
  readonly limits?: NonNullable<Parameters<typeof startIlink>[0]>['limits'];
  /** Hand in the same one again to play a restart. */
  readonly memory?: Map<string, string>;
  /** Every code is scanned and confirmed by Ann at once. Default: true. */
  readonly scans?: boolean;
}

/** The real adapter on a simulated iLink, with an intake that keeps what it takes. */
export async function startRig({ config, clock, limits, memory = new Map(), scans = true }: RigOptions = {}) {
  const wechat = await startIlink(limits === undefined ? {} : { limits });
  const ann = wechat.addPerson('Ann');
  const bo = wechat.addPerson('Bo');
  if (scans) wechat.logins.auto = ann;
  const desk = createDesk({
    channel: 'wechat',
    config: wechatConfig.parse({ api_root: wechat.url, cdn_root: wechat.cdnUrl, ...config }),
    memory,
    ...(clock === undefined ? {} : { clock }),
  });
  const { inbox, statuses, logged } = desk;
  const context = { ...desk.context, broadcast: localBroadcast() };
  const adapter = await manifest.create(context);
  return {
    ...{ wechat, adapter, inbox, statuses, logged, ann, bo, memory, context },
    target: { chat: ann.id, chatKind: 'dm' as const },
    /** Ann's bot, once somebody has scanned. */
    bot: async () => {
      await wechat.calls.waitFor('getupdates', 1);
      const [bot] = wechat.bots;
      if (bot === undefined) throw new Error('nobody has logged in');
      return bot;
    },
    stop: async () => {
      await adapter.stop();
      await wechat.stop();
    },
  };
}

/** Of one process alone. */
function localBroadcast(): Broadcast {
  const listeners = new Map<string, Set<(data: string) => void>>();
  return {
    publish: (topic, data) => {
      for (const listener of listeners.get(topic) ?? []) listener(data);
    },
    subscribe: (topic, listener) => {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return () => void all.delete(listener);
    },
  };
}

export type Rig = Awaited<ReturnType<typeof startRig>>;

const PATIENCE_MS = 15_000;

/** Resolves once a status has been reported that satisfies `matches`. */
export async function reported(
  statuses: readonly ConnectionStatus[],
  matches: (status: ConnectionStatus) => boolean,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!statuses.some(matches)) {
    if (performance.now() > deadline) throw new Error(`only ${JSON.stringify(statuses)} was reported`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
