import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import * as sdk from '@wecom/aibot-node-sdk';
import type { Clock } from '../../../src/base/clock.ts';
import type { Adapter, Target } from '../../../src/channel/port.ts';
import { createDesk, type DeskOptions } from '../../../src/channel/testing/desk.ts';
import { type App, type Bot, type Chat, startWecom, type WecomOptions } from '../../../src/simulator/wecom/index.ts';
import { createCallbackAdapter } from '../callback/adapter.ts';
import { type Transport, type WecomConfig, wecomConfig } from '../config.ts';
import { wecom as manifest } from '../index.ts';
import { createWebsocketAdapter } from '../websocket/adapter.ts';

export interface RigOptions {
  readonly clock?: Clock;
  readonly config?: Partial<WecomConfig>;
  /** What the adapter remembers; shared by two rigs, they are replicas. */
  readonly memory?: Map<string, string>;
  readonly limits?: WecomOptions['limits'];
  readonly now?: () => number;
  readonly flood?: boolean;
  /** Of the long connection. */
  readonly heartbeatMs?: number;
  /** Of a bot that is called back. */
  readonly patienceMs?: number;
  /** False: the test starts it. */
  readonly starts?: boolean;
}

/** The real adapter on a simulated WeCom, with an intake that keeps what it takes. Closed when the test ends. */
export async function startRig(t: TestContext, transport: Transport, options: RigOptions = {}) {
  const { memory, clock, starts = true, now, flood = false } = options;
  const wecom = await startWecom({
    limits: { retryMs: [20, 20, 20], pollMs: 20, ...options.limits },
    ...(now === undefined ? {} : { now }),
    flood,
  });
  const one: Bot | App = transport === 'app' ? wecom.addApp('Antler') : wecom.addBot('Antler');
  const ann = wecom.addPerson('Ann', 'ann');
  const bo = wecom.addPerson('小波', 'bo');
  const direct = wecom.openDirectChat(ann, one);
  let adapter: Adapter | undefined;
  const server = createServer(
    getRequestListener(async (request) => (await adapter?.webhook?.(request)) ?? new Response(null, { status: 404 })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/wecom`;
  const deskOptions: DeskOptions<WecomConfig> = {
    channel: 'wecom',
    config: {
      ...wecomConfig.parse({ transport, ...keysFor(one), api_root: wecom.url, ws_url: wecom.wsUrl }),
      ...options.config,
    },
    ...(memory === undefined ? {} : { memory }),
    ...(clock === undefined ? {} : { clock }),
  };
  const desk = createDesk(deskOptions);
  const make = (): Adapter | Promise<Adapter> => {
    if (options.heartbeatMs !== undefined) return createWebsocketAdapter(desk.context, sdk, options.heartbeatMs);
    if (options.patienceMs !== undefined) return createCallbackAdapter(desk.context, options.patienceMs);
    return manifest.create(desk.context);
  };
  const made = await make();
  adapter = made;
  t.after(async () => {
    await made.stop();
    await wecom.stop();
    server.close();
    server.closeAllConnections();
  });
  if (starts) await made.start();
  if (starts && transport !== 'websocket') await wecom.register(one, webhook);
  const said = (chat: Chat): string[] => wecom.visible(chat).flatMap(({ fromBot, text }) => (fromBot ? [text] : []));
  return {
    ...{ wecom, one, ann, bo, direct, webhook, said, desk, adapter: made },
    ...{ inbox: desk.inbox, statuses: desk.statuses, logged: desk.logged },
    target: { chat: direct.id, chatKind: 'dm' } satisfies Target as Target,
  };
}

function keysFor(one: Bot | App): Record<string, string> {
  const keys = { token: one.token, encoding_aes_key: one.aesKey };
  return one.kind === 'app'
    ? { ...keys, corp_id: one.corpId, agent_id: one.agentId, corp_secret: one.secret }
    : { ...keys, bot_id: one.id, secret: one.secret };
}
