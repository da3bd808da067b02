import type { TestContext } from 'node:test';
import { Hono } from 'hono';
import { createHttpApp } from '../../../src/admin/app.ts';
import { ownerGuard } from '../../../src/admin/guard.ts';
import { modelSettings } from '../../../src/admin/model-settings.ts';
import { modelSetup } from '../../../src/admin/model-setup.ts';
import { ownerToken } from '../../../src/admin/owner-token.ts';
import { createSecrets } from '../../../src/admin/secrets.ts';
import { serveHttp } from '../../../src/admin/serve.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { InboundMessage } from '../../../src/channel/message.ts';
import type { Adapter } from '../../../src/channel/port.ts';
import type { ModelProbe } from '../../../src/harness/port.ts';
import { type WebUnderTest, webForTests } from './harness.ts';

export interface ServedWeb extends WebUnderTest {
  readonly url: string;
  /** What the next model that is tried on the page gets. */
  probe: ModelProbe;
}

export const OWNER_TOKEN = 'the-owner-token';

/** The adapter behind the real guard and HTTP server. With `publicUrl` it asks for {@link OWNER_TOKEN}. */
export async function serveWebForTests(
  t: TestContext,
  options: {
    readonly publicUrl?: string;
    readonly onMessage?: (message: InboundMessage, adapter: Adapter) => void;
  } = {},
): Promise<ServedWeb> {
  const web = await webForTests(t, options.onMessage);
  const { settings } = web.store;
  const secrets = createSecrets({ key: Buffer.alloc(32, 1).toString('base64'), dataDir: '' });
  const served: ServedWeb = {
    ...web,
    url: '',
    probe: { ok: false, code: 'not_found', reason: 'it answered 404', problem: 'Check base_url and model.' },
  };
  const guard = ownerGuard({
    host: options.publicUrl === undefined ? '127.0.0.1' : '0.0.0.0',
    publicUrl: options.publicUrl,
    token: await ownerToken(settings, OWNER_TOKEN),
    settings,
  });
  const app = createHttpApp({
    guard,
    setup: modelSetup({
      models: modelSettings(settings, secrets),
      fixed: () => null,
      probe: async () => served.probe,
      log: silentLogger,
    }),
    operations: new Hono(),
    pages: [web.page],
    webhooks: async () => null,
    health: () => ({}),
    ready: async () => ({ ready: true, reasons: [] }),
    log: silentLogger,
  });
  const server = await serveHttp(app, { host: '127.0.0.1', port: 0 });
  t.after(() => server.close(0));
  return Object.assign(served, { url: server.url });
}
