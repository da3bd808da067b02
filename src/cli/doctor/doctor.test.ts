import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AntlerError } from '../../base/errors.ts';
import { loadConfig } from '../../config/load.ts';
import { testManifests } from '../../config/testing/manifests.ts';
import type { ModelConfig } from '../../harness/port.ts';
import { type DoctorOptions, type DoctorParts, runDoctor } from './doctor.ts';

const folder = mkdtempSync(join(tmpdir(), 'antler-doctor-'));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'data'));

const env = { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'gpt-x', TELEGRAM_BOT_TOKEN: '1:t', ANTLER_PORT: '0' };
const model: ModelConfig = {
  name: 'main',
  baseUrl: 'http://127.0.0.1:9/v1',
  apiKey: 'k',
  model: 'gpt-x',
  contextWindow: 1000,
  vision: false,
  replayReasoning: false,
  idleTimeoutMs: 1000,
  totalTimeoutMs: 1000,
  demo: false,
};
const opened = async () => ({ check: async () => {}, close: async () => {} });
const figures = { queuedThreads: 0, runningThreads: 0, waitingInputs: 0, pendingDeliveries: 0, deadLetters: 0 };
const busWith =
  (deadLetters = 0, paused: string[] = [], warnings: string[] = []): DoctorParts['openBus'] =>
  async () => ({
    ...(await opened()),
    check: async () => warnings,
    stats: async () => ({ ...figures, deadLetters }),
    paused: async () => paused,
  });
const held: DoctorParts['openBus'] = () => Promise.reject(new AntlerError('conflict', 'another process uses bus.db'));
const running = (dead_letters: number, paused: boolean): DoctorParts['askRunning'] => {
  const bus = { queued_threads: 0, running_threads: 0, waiting_inputs: 0, pending_deliveries: 0, dead_letters };
  return async () => ({ bus, channels: [{ name: 'telegram', paused, connection: { state: 'connected' } }] });
};
const healthy: DoctorParts = {
  openBus: busWith(),
  askRunning: () => Promise.reject(new Error('nobody answers')),
  openStore: opened,
  models: async () => [model],
  skills: async () => ({ skills: new Map(), broken: [] }),
  probeMcp: async (name) => ({ name, state: 'connected', tools: 3 }),
  askEngine: async () => ({ kind: 'ready', version: '20.10' }),
  probeModel: async () => ({ ok: true, ms: 12.3 }),
  probeChannel: async (name) => ({ ok: true, ...(name === 'telegram' ? { identity: '@antler_bot' } : {}) }),
};

interface Setup extends Partial<Omit<DoctorOptions, 'parts'>> {
  readonly env?: Record<string, string>;
  readonly parts?: Partial<DoctorParts>;
}

async function doctor({ env: own = env, parts = {}, ...options }: Setup = {}) {
  const lines: string[] = [];
  const code = await runDoctor({
    config: loadConfig({ env: own, manifests: testManifests, cwd: folder }),
    parts: () => ({ ...healthy, ...parts }),
    print: (line) => lines.push(line),
    nodeVersion: '24.21.0',
    ...options,
  });
  return { code, lines };
}

/** The one line that differs from a healthy installation, and the last. */
const ofInterest = (lines: readonly string[]): (string | undefined)[] => [
  lines.find((line) => !line.startsWith('ok')),
  lines.at(-1),
];

test('a healthy installation: a line each, and all is well', async () => {
  assert.deepEqual(await doctor(), {
    code: 0,
    lines: [
      'ok    configuration: no file; environment and defaults',
      'ok    Node: 24.21.0',
      `ok    data folder: ${join(folder, 'data')} is writable`,
      'ok    bus (embedded): can be used',
      'ok    database (embedded): can be used',
      'ok    port: any free port will be taken',
      'ok    sandbox: the engine (20.10) answers and has antler-sandbox: commands can be run',
      'ok    skills: 0 there',
      'ok    model main: gpt-x answers in 12 ms',
      'ok    channel telegram: works as @antler_bot',
      'ok    channel web: works',
      'All is well.',
    ],
  });
});

const failures: readonly (readonly [string, Setup, string, number, string])[] = [
  [
    'an old Node',
    { nodeVersion: '20.11.0' },
    'fail  Node: 20.11.0 is too old; run "npm ci" (it brings Node 24 along), or install Node 24',
    1,
    '1 thing needs mending.',
  ],
  [
    'a bus that cannot be opened',
    { parts: { openBus: () => Promise.reject(new AntlerError('unavailable', 'Redis at h:1 refuses;\nstart it')) } },
    'fail  bus (embedded): Redis at h:1 refuses; start it',
    1,
    '1 thing needs mending.',
  ],
  [
    'a database that opens but cannot be used',
    {
      parts: {
        openStore: async () => ({ check: () => Promise.reject(new Error('disk is full')), close: async () => {} }),
      },
    },
    'fail  database (embedded): disk is full',
    1,
    '1 thing needs mending.',
  ],
  [
    'a data folder that a running Antler holds',
    { parts: { openBus: held } },
    'warn  bus (embedded): another process uses bus.db (fine if that is a running Antler)',
    0,
    'Antler can run; see the warnings.',
  ],
  [
    'an engine without the image',
    { parts: { askEngine: async () => ({ kind: 'no_image' }) } },
    'warn  sandbox: the engine has no image antler-sandbox, so there is no shell; docker build -t antler-sandbox deploy/sandbox',
    0,
    'Antler can run; see the warnings.',
  ],
  [
    'dead letters and a paused channel',
    { parts: { openBus: busWith(2, ['telegram']) } },
    'warn  bus (embedded): can be used; 2 could not be answered or delivered: see "antler dead-letters"; channel telegram is paused: "antler channels resume telegram" lets it go on',
    0,
    'Antler can run; see the warnings.',
  ],
  [
    'a Redis that would lose messages when it stops',
    { parts: { openBus: busWith(0, [], ['Redis keeps no append-only file. Set appendonly yes.']) } },
    'warn  bus (embedded): can be used; Redis keeps no append-only file. Set appendonly yes.',
    0,
    'Antler can run; see the warnings.',
  ],
  [
    'dead letters and a paused channel of a running Antler',
    { parts: { openBus: held, askRunning: running(1, true) } },
    'warn  bus (embedded): in use by the running Antler; 1 could not be answered or delivered: see "antler dead-letters"; channel telegram is paused: "antler channels resume telegram" lets it go on',
    0,
    'Antler can run; see the warnings.',
  ],
  [
    'a model that refuses the key',
    {
      parts: {
        probeModel: async () => ({
          ok: false,
          code: 'unauthorized',
          reason: 'the key is refused',
          problem: 'the key is refused; check api_key',
        }),
      },
    },
    'fail  model main: the key is refused; check api_key',
    1,
    '1 thing needs mending.',
  ],
  [
    'no model',
    { env: { ANTLER_PORT: '0' }, parts: { models: async () => [] } },
    'warn  model: none is connected; set OPENAI_API_KEY and OPENAI_MODEL, or connect one on the start page',
    0,
    'Antler can run; see the warnings.',
  ],
  [
    'the demo model',
    { env: { ANTLER_PORT: '0' }, parts: { models: async () => [{ ...model, demo: true }] } },
    'warn  model: the built-in demo model answers; connect a real one on the start page',
    0,
    'Antler can run; see the warnings.',
  ],
  [
    'a bot whose token is wrong',
    {
      parts: {
        probeChannel: async (name) => (name === 'web' ? { ok: true } : { ok: false, problem: 'token refused' }),
      },
    },
    'fail  channel telegram: token refused',
    1,
    '1 thing needs mending.',
  ],
  [
    'an address that is not ours',
    { env: { ...env, ANTLER_HOST: '203.0.113.1', ANTLER_PORT: '1' } },
    'fail  port: this machine has no address 203.0.113.1; set server.host to 127.0.0.1 or 0.0.0.0',
    1,
    '1 thing needs mending.',
  ],
];

for (const [name, setup, line, code, end] of failures)
  test(`doctor on ${name}`, async () => {
    const { code: actual, lines } = await doctor(setup);
    assert.deepEqual(ofInterest(lines), [line, end]);
    assert.equal(actual, code);
  });

test('a bus that is well in a running Antler is well', async () => {
  const { code, lines } = await doctor({ parts: { openBus: held, askRunning: running(0, false) } });
  assert.ok(lines.includes('ok    bus (embedded): in use by the running Antler'));
  assert.deepEqual([code, lines.at(-1)], [0, 'All is well.']);
});

test('a wrong configuration is listed, and nothing else is tried', async () => {
  const { code, lines } = await doctor({ env: { ANTLER_PORT: 'x' }, parts: { openBus: () => assert.fail('opened') } });
  assert.equal(code, 1);
  assert.deepEqual(lines, [
    'fail  configuration: $ANTLER_PORT (server.port): expected a number, got "x"',
    'ok    Node: 24.21.0',
    'Mend the configuration first; the rest is checked then.',
  ]);
});

test('what hangs is given up, all of it at the same time', async () => {
  const hang = () => new Promise<never>(() => {});
  const started = performance.now();
  const { code, lines } = await doctor({
    timeoutMs: 100,
    parts: { openBus: hang, openStore: async () => ({ check: hang, close: hang }), models: hang, probeChannel: hang },
  });
  assert.equal(code, 1);
  assert.equal(lines.filter((line) => line.endsWith('no answer within 0.1 s')).length, 5);
  assert.ok(performance.now() - started < 2000);
});

test('a check that is given up gets to know', async () => {
  let aborted = false;
  const probeChannel: DoctorParts['probeChannel'] = (_, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        aborted = true;
        reject(new Error('aborted'));
      });
    });
  await doctor({ timeoutMs: 50, parts: { probeChannel } });
  assert.ok(aborted);
});

test('a file where the data folder should be', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const { lines } = await doctor({ env: { ...env, ANTLER_DATA_DIR: join(file, 'data') } });
  assert.equal(
    lines.find((line) => line.includes('data folder')),
    `fail  data folder: ${file} is a file, not a folder; set data_dir to a folder`,
  );
  const later = await doctor({ env: { ...env, ANTLER_DATA_DIR: join(folder, 'a/b') } });
  assert.ok(later.lines.includes(`ok    data folder: ${join(folder, 'a/b')} will be made`));
});

test('a data folder on a virtual file system does not hang doctor, and is told once', {
  skip: !existsSync('/proc/self') && 'there is no /proc here',
}, async () => {
  const never = () => assert.fail('opened');
  const { code, lines } = await doctor({
    env: { ANTLER_PORT: '0', ANTLER_DATA_DIR: '/proc/x/data' },
    parts: { openBus: never, openStore: never, models: never },
  });
  assert.deepEqual(
    [code, ...lines.filter((line) => !line.startsWith('ok'))],
    [
      1,
      'fail  data folder: /proc takes nothing new (ENOENT); mend that, or set data_dir to another folder',
      'warn  bus (embedded): not checked: the data folder cannot be used',
      'warn  database (embedded): not checked: the data folder cannot be used',
      'warn  model: not checked: the data folder cannot be used',
      '1 thing needs mending.',
    ],
  );
});

const away = () => Promise.reject(new AntlerError('unavailable', 'PostgreSQL at h cannot be reached'));

test('with the database away, a model of the environment is tried all the same', async () => {
  const { lines } = await doctor({ parts: { openStore: away } });
  assert.ok(lines.includes('ok    model main: gpt-x answers in 12 ms'));
  assert.equal(lines.at(-1), '1 thing needs mending.');
});

test('with the database away, a model that may be saved in it is not checked, and not counted as broken', async () => {
  const { lines } = await doctor({ env: { ANTLER_PORT: '0' }, parts: { openStore: away, models: away } });
  assert.deepEqual(
    lines.filter((line) => !line.startsWith('ok')),
    [
      'fail  database (embedded): PostgreSQL at h cannot be reached',
      'warn  model: not checked: the database cannot be used',
      '1 thing needs mending.',
    ],
  );
});

async function portLine(body: string): Promise<string | undefined> {
  const server: Server = createServer((_, response) => void response.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const { lines } = await doctor({ env: { ...env, ANTLER_PORT: String(address.port) } });
  await new Promise((resolve) => server.close(resolve));
  return lines.find((line) => line.includes('port: '))?.replace(String(address.port), 'PORT');
}

test('a port is told apart by who holds it', async () => {
  assert.equal(await portLine('{"status":"ok"}'), 'ok    port: 127.0.0.1:PORT is served by a running Antler');
  assert.equal(
    await portLine('<html>'),
    'fail  port: 127.0.0.1:PORT is taken by another program; stop it, or choose another port (--port, or server.port)',
  );
});

test('a server of tools that is away is told, and Antler can run without it', async () => {
  const file = join(folder, 'mcp.yaml');
  writeFileSync(file, 'mcp_servers: { docs: { url: "http://127.0.0.1:9/mcp" }, gone: { command: nothing } }\n');
  const { code, lines } = await doctor({
    env: { ...env, ANTLER_CONFIG: file },
    parts: {
      probeMcp: async (name) =>
        name === 'docs' ? { name, state: 'connected', tools: 1 } : { name, state: 'failing', tools: 0, problem: 'no' },
    },
  });
  assert.equal(code, 0);
  assert.deepEqual(
    lines.filter((line) => line.includes('MCP')),
    ['ok    MCP server docs: 1 tool', 'warn  MCP server gone: no'],
  );
});
