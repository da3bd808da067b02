import { createDesk } from '../../../../src/channel/testing/desk.ts';
import { startWechaty, type WechatyOptions } from '../../../../src/simulator/wechat/wechaty/index.ts';
import { wechatConfig } from '../../config.ts';
import { createWechatyAdapter } from '../adapter.ts';
import type { Patience } from '../limits.ts';

export interface RigOptions extends WechatyOptions {
  readonly patience?: Partial<Patience>;
  /** What the adapter uses instead of the simulator's own. */
  readonly wrongToken?: string;
  readonly memory?: Map<string, string>;
}

/** The real adapter with the real wechaty, on a simulated puppet service, with an intake that keeps what it takes. */
export async function startRig({ patience, wrongToken, memory, ...options }: RigOptions = {}) {
  const wechat = await startWechaty(options);
  const ann = wechat.addContact('Ann');
  const bob = wechat.addContact('Bob');
  const room = wechat.addRoom({ topic: 'Team', members: [ann, bob] });
  const config = wechatConfig.parse({
    transport: 'wechaty',
    puppet_options: { token: wrongToken ?? wechat.token, endpoint: wechat.endpoint, tls: options.tls ?? false },
  });
  const desk = createDesk({ channel: 'wechat', config, ...(memory === undefined ? {} : { memory }) });
  const adapter = await createWechatyAdapter(desk.context, patience === undefined ? {} : { patience });
  /** Resolves when the last status is one that `matches`; a busy machine takes its time to import wechaty. */
  const status = async (
    matches: (state: (typeof desk.statuses)[number]) => boolean,
    timeoutMs = 30_000,
  ): Promise<void> => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const last = desk.statuses.at(-1);
      if (last !== undefined && matches(last)) return;
      if (performance.now() > deadline) throw new Error(`no such status; there were ${JSON.stringify(desk.statuses)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return {
    ...{ wechat, adapter, config, ann, bob, room },
    ...{ inbox: desk.inbox, statuses: desk.statuses, logged: desk.logged, context: desk.context },
    status,
    connected: () => status(({ state }) => state === 'connected'),
    dm: { chat: ann.id, chatKind: 'dm' as const },
    group: { chat: room.id, chatKind: 'group' as const },
    stop: async () => {
      await adapter.stop();
      await wechat.stop();
    },
  };
}
