import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError } from '../../../src/base/errors.ts';
import { imUserKey, threadKey } from '../../../src/base/ids.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { createTopics } from '../../../src/bus/embedded/topics.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import type { Adapter, AdapterContext, ConnectionStatus, Target } from '../../../src/channel/port.ts';
import { hostedFiles } from '../../../src/files/hosted-files.ts';
import { openStore } from '../../../src/store/index.ts';
import type { Store } from '../../../src/store/port.ts';
import type { WebConfig } from '../config.ts';
import { web } from '../index.ts';
import type { MessageView } from '../outbound/view.ts';

/** Time that stands still until a test moves it; a sleep ends by its signal or by {@link StillClock.wake}. */
export interface StillClock extends Clock {
  time: number;
  /** Ends every sleep. */
  wake(): void;
  sleepers(): number;
}

export function stillClock(): StillClock {
  const sleeping = new Set<() => void>();
  return {
    time: 1_800_000_000_000,
    now() {
      return this.time;
    },
    sleep: (_ms, signal) =>
      new Promise<void>((resolve, reject) => {
        sleeping.add(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    wake: () => {
      for (const resolve of sleeping) resolve();
      sleeping.clear();
    },
    sleepers: () => sleeping.size,
  };
}

export interface WebUnderTest {
  readonly adapter: Adapter;
  readonly store: Store;
  readonly clock: StillClock;
  readonly accepted: InboundMessage[];
  readonly stopped: unknown[];
  readonly statuses: ConnectionStatus[];
  /** From now on intake stores nothing. */
  failIntake(): void;
  /** From now on something waits to be answered. */
  beBusy(): void;
  page(request: Request): Promise<Response | null>;
  get(path: string, headers?: Record<string, string>): Promise<Response | null>;
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  history(query?: string): Promise<{ messages: MessageView[]; more: boolean }>;
}

/** The web adapter, started, on a real store and the embedded bus's real topics. */
export async function webForTests(
  t: TestContext,
  onMessage: (message: InboundMessage, adapter: Adapter) => void = () => {},
): Promise<WebUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'antler-web-'));
  const clock = stillClock();
  const store = await openStore({ file: join(folder, 'antler.db'), log: silentLogger });
  const topics = createTopics(silentLogger);
  const accepted: InboundMessage[] = [];
  const stopped: unknown[] = [];
  const statuses: ConnectionStatus[] = [];
  let intakeWorks = true;
  const state = { busy: false };

  const context: AdapterContext<WebConfig> = {
    channel: 'web',
    config: web.config.parse({}) as WebConfig,
    log: silentLogger,
    clock,
    accept: async (message) => {
      if (!intakeWorks) throw new AntlerError('unavailable', 'the bus is away', { retryable: true });
      accepted.push(message);
      onMessage(message, adapter);
    },
    state: { get: async () => null, set: async () => {} },
    secrets: { get: async () => null, set: async () => {} },
    hosted: store.hosted('web'),
    hostedFiles: hostedFiles({
      files: store.files,
      channel: 'web',
      maxBytes: 1_000_000,
      place: async (chat, user) => ({
        thread: (await store.threads.open(threadKey({ channel: 'web', chat }))).id,
        owner: imUserKey({ channelType: 'web', tenant: '', user }),
      }),
      clock,
    }),
    broadcast: topics,
    report: (status) => statuses.push(status),
    isBusy: async () => state.busy,
    stopRun: async (target: Pick<Target, 'chat' | 'topic'>, user) => {
      stopped.push({ ...target, user });
      return true;
    },
  };
  const adapter = await web.create(context);
  await adapter.start();
  t.after(async () => {
    await adapter.stop();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const page = async (request: Request): Promise<Response | null> => (await adapter.page?.(request)) ?? null;
  const get = (path: string, headers: Record<string, string> = {}) => page(new Request(`http://h${path}`, { headers }));
  return {
    adapter,
    store,
    clock,
    accepted,
    stopped,
    statuses,
    failIntake: () => {
      intakeWorks = false;
    },
    beBusy: () => {
      state.busy = true;
    },
    page,
    get,
    post: async (body, headers = {}) => {
      const request = new Request('http://h/api/v1/chat/messages', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      return (await page(request)) ?? Response.error();
    },
    history: async (query = '') => (await get(`/api/v1/chat/messages${query}`))?.json(),
  };
}
