import { modelSettings, type SavedModel } from '../admin/model-settings.ts';
import { renewOwnerToken } from '../admin/owner-token.ts';
import { createSecrets } from '../admin/secrets.ts';
import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { runTerminalChat } from '../cli/chat/chat.ts';
import { runDoctor } from '../cli/doctor/doctor.ts';
import { loginNotices } from '../cli/login-notices.ts';
import { builtInType } from '../config/environment.ts';
import type { ConfigResult } from '../config/load.ts';
import type { Config } from '../config/schema/config.ts';
import { createHarness } from '../harness/index.ts';
import type { ModelConfig } from '../harness/port.ts';
import { type Roles, startAntler } from './antler.ts';
import { createAssistantBook } from './assistants.ts';
import { spawnWorkerProcess, startCrew } from './crew.ts';
import { createDemoModel } from './demo-model.ts';
import { probeMcp } from './mcp.ts';
import { askRunning, withPlace } from './operate.ts';
import { addressOf, answersAt, ownerApi } from './owner-api.ts';
import { probeChannel } from './probe-channel.ts';
import { openBus, openDatabase } from './rooms.ts';
import { shelfOf } from './skills.ts';
import type { Surroundings } from './surroundings.ts';
import { webSession } from './terminal.ts';
import { askEngine } from './workspaces.ts';

/** `antler start | gateway | worker`: runs until it is told to stop. */
export async function serve(config: Config, roles: Roles, { log, env, print }: Surroundings): Promise<void> {
  const antler = await startAntler({
    config,
    roles,
    log,
    secretKey: env.ANTLER_SECRET_KEY,
    workerId: env.ANTLER_WORKER_ID,
  });
  if (antler.url !== null) print(`Antler is at ${antler.url}`);
  else print('Antler worker is running');
  if (antler.token.kind === 'fresh') print(`The owner's token, shown only this once: ${antler.token.token}`);
  if (antler.token.kind === 'stored')
    print('It asks for the owner\'s token. Lost it? "antler owner-token" makes a new one.');
  if (antler.ownerCode !== null)
    print(`To own the bot in chats, send it from your account: /claim ${antler.ownerCode} (shown only this once)`);
  const unwatch = antler.watch(
    loginNotices({ print, url: antler.url ?? '', colours: process.stdout.isTTY && env.NO_COLOR === undefined }),
  );
  await untilStopped(antler, log);
  unwatch();
}

/** `antler worker --processes N`: workers as processes of their own under a supervisor, until it is told to stop. */
export async function superviseWorkers(
  config: Config,
  options: { readonly processes: number; readonly config?: string },
  { log, print }: Surroundings,
): Promise<void> {
  const bus = await openBus(config, log);
  const args = options.config === undefined ? [] : ['--config', options.config];
  const crew = startCrew({
    size: options.processes,
    spawnWorker: (id) => spawnWorkerProcess(args, id),
    bus,
    log,
    clock: systemClock,
  });
  print(`Antler supervises ${options.processes} workers`);
  await untilStopped(crew, log);
  await bus.close({ graceMs: 0 });
}

/** Ends gracefully at the first SIGINT or SIGTERM, at once at the second. */
async function untilStopped(running: { stop(): Promise<void> }, log: Logger): Promise<void> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1));
      resolve();
    });
  }
  // A supervised worker whose supervisor is gone must not go on unseen.
  if (process.connected) process.once('disconnect', resolve);
  await asked;
  log.info({}, 'stopping: what runs may end first');
  await running.stop();
}

/** `antler chat`: talks to the Antler that runs here, else to one of its own that lives as long as the chat. */
export async function chat(config: Config, { log, env, note }: Surroundings): Promise<0 | 1> {
  const token = env.ANTLER_OWNER_TOKEN ?? config.server.owner_token;
  const running = addressOf(config);
  if (await answersAt(running)) {
    note(`Talking to the Antler that runs at ${running}.`);
    return runTerminalChat({ session: webSession(ownerApi(running, token)) });
  }
  const where = config.database.url === undefined ? `data in ${config.data_dir}` : 'its data in PostgreSQL';
  note(`No Antler answers at ${running}: this chat runs one of its own (${where}).`);
  const antler = await startAntler({
    config: onlyHere(config),
    roles: { gateway: true, worker: true },
    log,
    secretKey: env.ANTLER_SECRET_KEY,
  }).catch((error: unknown) => {
    throw withPlace(error, running);
  });
  try {
    return await runTerminalChat({ session: webSession(ownerApi(antler.url ?? '', undefined)) });
  } finally {
    await antler.stop(1_000);
  }
}

/** The same installation, reached from this terminal alone: no platform, any free loopback port. */
function onlyHere(config: Config): Config {
  const channels = Object.fromEntries(
    Object.entries(config.channels).filter(([, channel]) => channel.type === builtInType),
  );
  const { public_url: _, ...server } = config.server;
  return { ...config, channels, server: { ...server, host: '127.0.0.1', port: 0 } };
}

/** `antler doctor`. */
export async function doctor(result: ConfigResult, { log, env, print }: Surroundings): Promise<0 | 1> {
  return runDoctor({
    config: result,
    print,
    parts: (config) => {
      const harness = createHarness({ log, clock: systemClock });
      return {
        openBus: () => openBus(config, log),
        askRunning: () => askRunning(config, { env }),
        openStore: () => openDatabase(config, log),
        models: () => connectedModels(config, log, env.ANTLER_SECRET_KEY),
        askEngine: () => askEngine(config),
        skills: () => shelfOf(config, systemClock, log).contents(),
        probeMcp: (name) => probeMcp(config, name, log),
        probeModel: (model, signal) => harness.probeModel(model, signal),
        probeChannel: (name, signal) => probeChannel(config, name, { log, env }, signal),
      };
    },
  });
}

/** The database is opened only to look for a model that was connected on the page. */
function connectedModels(config: Config, log: Logger, secretKey: string | undefined): Promise<readonly ModelConfig[]> {
  const saved = async (): Promise<SavedModel | null> => {
    const store = await openDatabase(config, log);
    try {
      const secrets = createSecrets({ key: secretKey, dataDir: config.data_dir });
      return await modelSettings(store.settings, secrets).read();
    } finally {
      await store.close();
    }
  };
  const demo = createDemoModel();
  return createAssistantBook({ config, saved, demoUrl: () => demo.url() }).models();
}

/** `antler owner-token`: a new one in the place of one that was lost. */
export async function replaceOwnerToken(config: Config, { log, print }: Surroundings): Promise<void> {
  if (config.server.owner_token !== undefined)
    throw new AntlerError(
      'config_invalid',
      "The owner's token is set by server.owner_token or ANTLER_OWNER_TOKEN: change it there, then start Antler anew.",
    );
  const store = await openDatabase(config, log);
  try {
    print(`The owner's token, shown only this once: ${await renewOwnerToken(store.settings)}`);
    print('The former one counts no more, and every browser has to sign in again.');
  } finally {
    await store.close();
  }
}

/** `antler demo`. */
export async function demo(
  options: { readonly host?: string; readonly port?: number },
  around: Surroundings,
): Promise<void> {
  const { startDemo } = await import('./demo.ts');
  const running = await startDemo({ ...options, log: around.log });
  around.print(`The demo is at ${running.url}; Antler's own page is at ${running.antlerUrl}`);
  await untilStopped(running, around.log);
}
