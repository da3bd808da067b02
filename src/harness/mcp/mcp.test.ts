import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import { someModel, toolContext } from '../testing/fake-run.ts';
import { assistantWith, runContext } from '../testing/run.ts';
import type { Tool } from '../tools/port.ts';
import type { McpServerConfig } from './port.ts';
import { createMcpSource, type McpSource } from './source.ts';
import { startHttpToolServer } from './testing/http-server.ts';
import { toolName } from './tool.ts';

const times = { callTimeoutMs: 10_000, startTimeoutMs: 10_000 };
const stdio = (more: object = {}): McpServerConfig => ({
  name: 'local',
  transport: 'stdio',
  command: process.execPath,
  args: [join(import.meta.dirname, 'testing/stdio-server.ts')],
  env: { OWN_SECRET: 'for-the-server' },
  ...times,
  ...more,
});
const missing: McpServerConfig = { ...stdio(), name: 'missing', command: '/no/such/program' } as McpServerConfig;

function sourceOf(t: TestContext, servers: readonly McpServerConfig[], now = Date.now): McpSource {
  const source = createMcpSource({ servers, clock: { now }, log: silentLogger });
  t.after(() => source.close());
  return source;
}

const toolsFor = (source: McpSource, mcpServers: readonly string[] = ['all']): Promise<readonly Tool[]> =>
  source.tools(assistantWith(someModel, { mcpServers }), runContext);

async function call(source: McpSource, name: string, args: unknown = {}, signal = AbortSignal.timeout(20_000)) {
  const tool = (await toolsFor(source)).find((one) => one.name === name);
  assert.ok(tool !== undefined, `${name} is not there`);
  return tool.call(args, toolContext(), signal);
}

test('the tools of a program are called by names that carry the server', async (t) => {
  const source = sourceOf(t, [stdio()]);
  assert.deepEqual(source.statuses, [{ name: 'local', state: 'idle', tools: 0 }]);
  assert.equal(await call(source, 'local_add', { a: 2, b: 40 }), '42');
  assert.equal(await call(source, 'local_odd_name_'), '[image, image/png]');
  await assert.rejects(call(source, 'local_fail'), { code: 'bad_input', message: 'no such thing' });
  assert.equal(source.statuses[0]?.state, 'connected');
  for (const tool of await toolsFor(source)) {
    assert.equal(tool.trust, 'remote');
    assert.equal(tool.parameters.type, 'object');
  }
});

test('a program gets its own environment and nothing of ours', async (t) => {
  process.env.ANTLER_CANARY = 'must-not-leak';
  t.after(() => delete process.env.ANTLER_CANARY);
  const environment = await call(sourceOf(t, [stdio()]), 'local_environment');
  assert.match(environment, /for-the-server/);
  assert.doesNotMatch(environment, /must-not-leak/);
});

test('a server by HTTP is told the token, and a wrong one is a problem of that server alone', async (t) => {
  const server = await startHttpToolServer('right-token');
  t.after(() => server.stop());
  const http = (name: string, token: string): McpServerConfig => ({
    name,
    transport: 'http',
    url: server.url,
    headers: { Authorization: `Bearer ${token}` },
    ...times,
  });
  const source = sourceOf(t, [http('good', 'right-token'), http('bad', 'wrong-token'), missing]);
  assert.equal(await call(source, 'good_add', { a: 1, b: 1 }), '2');
  assert.deepEqual(
    source.statuses.map(({ state }) => state),
    ['connected', 'failing', 'failing'],
  );
  assert.doesNotMatch(JSON.stringify(source.statuses), /wrong-token/);
});

test('a server that dies is there again at the next call, and the call that it died in is not repeated', async (t) => {
  const source = sourceOf(t, [stdio()]);
  await assert.rejects(call(source, 'local_die'), { code: 'unavailable' });
  assert.equal(await call(source, 'local_add', { a: 1, b: 2 }), '3');
});

test('a server that cannot be reached is left alone for a while, then tried again', async (t) => {
  let now = 0;
  const source = sourceOf(t, [missing], () => now);
  assert.deepEqual(await toolsFor(source), []);
  const before = performance.now();
  assert.deepEqual(await toolsFor(source), []);
  assert.ok(performance.now() - before < 50);
  now = 31_000;
  assert.deepEqual(await toolsFor(source), []);
  assert.match(source.statuses[0]?.problem ?? '', /missing/);
});

test('a call that takes too long is given up, and a stopped run ends its calls', async (t) => {
  const source = sourceOf(t, [stdio({ callTimeoutMs: 200 })]);
  await assert.rejects(call(source, 'local_sleep'), { code: 'timeout' });
  const stop = new AbortController();
  const patient = sourceOf(t, [stdio()]);
  await toolsFor(patient);
  setImmediate(() => stop.abort());
  await assert.rejects(call(patient, 'local_sleep', {}, stop.signal), { code: 'cancelled' });
});

test('an assistant has the servers that it names, and no other', async (t) => {
  const source = sourceOf(t, [stdio()]);
  assert.deepEqual(await toolsFor(source, []), []);
  assert.deepEqual(await toolsFor(source, ['other']), []);
  assert.ok((await toolsFor(source, ['local'])).length > 0);
});

test('names are kept to what endpoints take', () => {
  assert.match(toolName('服务', 'a.b/c'), /^[A-Za-z0-9_-]+$/);
  assert.equal(toolName('s', 'x'.repeat(100)).length, 64);
});
