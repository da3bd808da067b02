import { createDesk, shortSleep } from '../../../src/channel/testing/desk.ts';
import { type FeishuOptions, startFeishu } from '../../../src/simulator/feishu/index.ts';
import { type FeishuConfig, feishuConfig } from '../config.ts';
import { feishu as manifest } from '../index.ts';

export interface RigOptions {
  readonly config?: Partial<FeishuConfig>;
  readonly feishu?: FeishuOptions;
  /** Milliseconds by which the adapter's clock is ahead. */
  readonly ahead?: () => number;
}

/** The real adapter on a simulated Feishu, with an intake that keeps what it takes. */
export async function startRig({ config, feishu: options, ahead = () => 0 }: RigOptions = {}) {
  const feishu = await startFeishu(options);
  const app = feishu.addApp({ name: 'Antler' });
  const ann = feishu.addUser('Ann');
  const bob = feishu.addUser('Bob');
  const direct = feishu.openDirectChat(ann, app);
  const group = feishu.addGroup({ title: 'Team', users: [ann, bob], apps: [app] });
  const { context, inbox, statuses, logged } = createDesk<FeishuConfig>({
    channel: 'feishu',
    config: feishuConfig.parse({ app_id: app.appId, app_secret: app.secret, domain: feishu.url, ...config }),
    clock: { now: () => Date.now() + ahead(), sleep: shortSleep },
  });
  const adapter = await manifest.create(context).catch(async (error: unknown) => {
    await feishu.stop();
    throw error;
  });
  /** Another replica of the same channel. */
  const replica = () => manifest.create(context);
  return {
    ...{ feishu, adapter, replica, manifest, inbox, statuses, logged, app, ann, bob, direct, group },
    target: { chat: direct.id, chatKind: 'dm' as const },
    inGroup: { chat: group.id, chatKind: 'group' as const },
    /** Resolves when the adapter has its connection. */
    connected: async () => {
      while (!statuses.some(({ state }) => state === 'connected')) await shortSleep(5);
    },
    stop: async () => {
      await adapter.stop();
      await feishu.stop();
    },
  };
}
