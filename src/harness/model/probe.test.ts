import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freePort } from '../../testing/services.ts';
import type { ModelConfig } from '../port.ts';
import { newHarness } from '../testing/run.ts';
import { DONE, delta, raw, says, startWireServer, status } from '../testing/wire-server.ts';

const server = await startWireServer();
after(() => server.close());

async function problemOf(more: Partial<ModelConfig> = {}): Promise<string> {
  const { probeModel } = newHarness();
  const probe = await probeModel(server.model(more));
  if (probe.ok) return 'none';
  assert.doesNotMatch(probe.problem, /sk-|secret/, 'the key is never shown');
  return `${probe.code}: ${probe.problem}`;
}

test('a model that answers is fine, also with thoughts alone', async () => {
  server.script(says('OK'));
  assert.equal(await problemOf(), 'none');
  assert.equal(server.seen[0]?.body.max_tokens, 16);
  server.script(raw(delta({ reasoning_content: 'The user wants' }), delta({}, 'length'), DONE));
  assert.equal(await problemOf(), 'none');
});

test('a wrong address', async () => {
  server.script(status(404, 'Not Found'));
  assert.match(await problemOf(), /^not_found: .*no chat completions API at this address.*Check base_url/);
  server.script(status(200, '<html><body>Welcome</body></html>'));
  assert.match(await problemOf(), /^not_found: .*a web page came/);
  assert.match(await problemOf({ baseUrl: 'api.example.com' }), /^bad_input: .*base_url is not an http/);
  assert.match(await problemOf({ baseUrl: '' }), /^bad_input/);
});

test('nobody there', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
  assert.match(await problemOf({ baseUrl }), /^unavailable: .*connection refused.*Check base_url/);
});

test('a wrong key, and one that cannot be a key', async () => {
  server.script(status(401, { error: { message: 'Incorrect API key provided: sk-secret-key' } }));
  assert.match(await problemOf(), /^unauthorized: .*HTTP 401.*Check api_key/);
  assert.match(await problemOf({ apiKey: '' }), /none is set/);
  assert.match(await problemOf({ apiKey: 'sk-secret-键\nx' }), /^unauthorized: .*characters that no key has/);
});

test('an unknown model', async () => {
  server.script(status(404, { error: { code: 'model_not_found', message: 'The model does not exist' } }));
  assert.match(await problemOf(), /^not_found: .*does not know this model/);
  server.script(status(400, { error: { message: 'Model Not Exist' } }));
  assert.match(await problemOf(), /^not_found: .*does not know this model/);
});

test('what it refuses of a request does not make the probe fail', async () => {
  server.script(status(400, { error: { message: 'Unknown parameter: stream_options' } }), says('OK'));
  assert.equal(await problemOf(), 'none');
});

test('an address with a password in it is not shown with it', async () => {
  server.script(status(500, {}));
  const baseUrl = server.url.replace('http://', 'http://bob:hunter2@');
  assert.doesNotMatch(await problemOf({ baseUrl }), /hunter2/);
});
