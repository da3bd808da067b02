import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLogger } from '../base/logger.ts';
import type { ModelProbe } from '../harness/port.ts';
import { normalizeBaseUrl, versionHint } from './base-url.ts';
import { modelSettings } from './model-settings.ts';
import { type EndpointModel, type FixedModel, modelSetup } from './model-setup.ts';
import { createSecrets } from './secrets.ts';
import { folderForTests, settingsForTests } from './testing/settings.ts';

const key = Buffer.alloc(32, 1).toString('base64');
const good = { base_url: 'https://llm.example.com/v1/', api_key: 'sk-secret', model: 'qwen3' };

async function setupForTests(t: TestContext) {
  const settings = await settingsForTests(t);
  const dataDir = folderForTests(t);
  const models = modelSettings(settings, createSecrets({ key, dataDir }));
  const probed: EndpointModel[] = [];
  const state = { fixed: null as FixedModel | null, probe: { ok: true, ms: 5 } as ModelProbe };
  const app = modelSetup({
    models,
    fixed: () => state.fixed,
    probe: async (model) => {
      probed.push(model);
      return state.probe;
    },
    log: silentLogger,
  });
  const call = async (line: string, body?: unknown) => {
    const [method = '', path = ''] = line.split(' ');
    const response = await app.request(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return { status: response.status, body: await response.json() };
  };
  return { settings, models, probed, state, call, dataDir };
}

test('a model is saved only after it has answered', async (t) => {
  const { call, models, probed, state, settings } = await setupForTests(t);
  assert.deepEqual(await call('GET /'), { status: 200, body: { model: 'none', source: 'none', editable: true } });

  state.probe = {
    ok: false,
    code: 'unauthorized',
    reason: 'the key was refused (HTTP 401)',
    problem: 'Check api_key.',
  };
  const refused = await call('POST /model', good);
  assert.deepEqual(refused, {
    status: 422,
    body: {
      error: {
        code: 'unauthorized',
        message: 'The key was refused (HTTP 401). Check the API key.',
        reason: 'the key was refused (HTTP 401)',
      },
    },
  });
  assert.equal(await models.read(), null);

  state.probe = { ok: true, ms: 5 };
  const shown = {
    model: 'configured',
    name: 'qwen3',
    base_url: 'https://llm.example.com/v1',
    source: 'saved',
    editable: true,
  };
  assert.deepEqual(await call('POST /model', good), { status: 200, body: shown });
  assert.deepEqual((await call('GET /')).body, shown);
  const saved = { kind: 'endpoint', baseUrl: 'https://llm.example.com/v1', apiKey: 'sk-secret', model: 'qwen3' };
  assert.deepEqual(await models.read(), saved);
  assert.deepEqual(probed.at(-1), saved);
  assert.ok(!JSON.stringify(await settings.get('model')).includes('sk-secret'));

  assert.deepEqual((await call('DELETE /model')).body, { model: 'none', source: 'none', editable: true });
  assert.equal(await models.read(), null);
});

test('the demo model can be chosen', async (t) => {
  const { call, models } = await setupForTests(t);
  assert.deepEqual((await call('POST /demo')).body, { model: 'demo', source: 'saved', editable: true });
  assert.deepEqual(await models.read(), { kind: 'demo' });
});

test('an address without its version gets a hint', async (t) => {
  const { call, state } = await setupForTests(t);
  state.probe = { ok: false, code: 'not_found', reason: 'it answered 404', problem: 'Check base_url and model.' };
  const message = async (base_url: string) => (await call('POST /model', { ...good, base_url })).body.error.message;
  assert.match(await message('https://llm.example.com'), /try https:\/\/llm\.example\.com\/v1$/);
  assert.equal(await message('https://llm.example.com/v1'), 'It answered 404. Check the base URL and the model name.');
});

test('bad input is refused before anything is called', async (t) => {
  const { call, probed } = await setupForTests(t);
  const table: unknown[] = [
    null,
    {},
    { ...good, base_url: 'ftp://x' },
    { ...good, base_url: 'llm.example.com' },
    { ...good, base_url: 'https://user:pass@x.y/v1' },
    { ...good, api_key: 'a\nb' },
    { ...good, api_key: 5 },
    { ...good, model: ' ' },
  ];
  for (const body of table) {
    const answer = await call('POST /model', body);
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'bad_input'], JSON.stringify(body));
  }
  assert.equal((await call('POST /model', { ...good, model: 'x'.repeat(400) })).status, 413);
  assert.equal((await call('POST /model', { ...good, more: 'x'.repeat(20_000) })).status, 413);
  assert.equal(probed.length, 0);
  assert.equal((await call('POST /model', { ...good, api_key: '' })).status, 200);
});

test('a model of the file or the environment is shown and cannot be changed here', async (t) => {
  const { call, state, probed } = await setupForTests(t);
  await call('POST /demo');
  state.fixed = { name: 'main', baseUrl: 'https://a.b/v1', demo: false };
  assert.deepEqual((await call('GET /')).body, {
    model: 'configured',
    name: 'main',
    base_url: 'https://a.b/v1',
    source: 'configuration',
    editable: false,
  });
  for (const line of ['POST /model', 'POST /demo', 'DELETE /model']) {
    const answer = await call(line, line === 'POST /model' ? good : undefined);
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'conflict'], line);
  }
  assert.equal(probed.length, 0);
});

test('a key that cannot be decrypted any more is said, not hidden', async (t) => {
  const { call, settings, dataDir } = await setupForTests(t);
  await call('POST /model', good);
  const secrets = createSecrets({ key: Buffer.alloc(32, 2).toString('base64'), dataDir });
  const models = modelSettings(settings, secrets);
  await assert.rejects(models.read(), { code: 'config_invalid' });
  const app = modelSetup({ models, fixed: () => null, probe: async () => ({ ok: true, ms: 1 }), log: silentLogger });
  const status = await (await app.request('/')).json();
  assert.partialDeepStrictEqual(status, { model: 'none', name: 'qwen3', source: 'saved', editable: true });
  assert.match(status.problem, /ANTLER_SECRET_KEY/);
});

test('whoever moves the saved address in the database does not get the key', async (t) => {
  const { call, settings, models } = await setupForTests(t);
  await call('POST /model', good);
  const stored = await settings.get('model');
  assert.ok(typeof stored === 'object');
  await settings.set('model', { ...stored, base_url: 'https://evil.example' });
  await assert.rejects(models.read(), { code: 'config_invalid' });
});

test('base URLs are read as people paste them', () => {
  const table: [string, string][] = [
    [' https://api.openai.com/v1/ ', 'https://api.openai.com/v1'],
    ['https://x.y/v1/chat/completions', 'https://x.y/v1'],
    ['https://x.y/v1/models/?a=1#b', 'https://x.y/v1'],
    ['HTTP://LocalHost:11434', 'http://localhost:11434'],
    ['https://open.bigmodel.cn/api/paas/v4/', 'https://open.bigmodel.cn/api/paas/v4'],
  ];
  for (const [pasted, url] of table) assert.equal(normalizeBaseUrl(pasted), url);
  assert.equal(versionHint('https://open.bigmodel.cn/api/paas/v4'), null);
  assert.equal(versionHint('https://generativelanguage.googleapis.com/v1beta/openai'), null);
  assert.equal(versionHint('http://localhost:11434'), 'http://localhost:11434/v1');
});
