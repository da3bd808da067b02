import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ConfigResult, loadConfig } from './load.ts';
import { listSecrets } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'antler-web-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function load(yaml: string): ConfigResult {
  writeFileSync(join(folder, 'config.yaml'), yaml);
  return loadConfig({ env: {}, manifests: [], cwd: folder });
}

const problems = (yaml: string): string => {
  const result = load(yaml);
  return result.ok ? '' : result.problems.map(({ text }) => text).join('\n');
};

test('a search provider without what it needs is told so', () => {
  assert.match(
    problems('web: { search: { provider: tavily } }'),
    /web\.search\.api_key: missing; expected your key of tavily/,
  );
  assert.match(
    problems('web: { search: { provider: searxng } }'),
    /web\.search\.base_url: missing; expected the address/,
  );
  assert.match(problems('web: { search: { provider: google } }'), /web\.search\.provider: .*tavily/);
  assert.equal(problems('web: { search: { provider: searxng, base_url: "http://searxng:8080" } }'), '');
});

test('what opens nothing, or too much by accident, is no entry of allow_private', () => {
  assert.equal(problems('net: { allow_private: ["10.0.0.5:8888", "10.0.0.0/24", "[fd00::1]:8080", wiki.lan] }'), '');
  for (const entry of ['http://10.0.0.5', '*', '127.1', '10.0.0.5:0'])
    assert.match(
      problems(`net: { allow_private: ["${entry}"] }`),
      /net\.allow_private\[0\]: expected an address/,
      entry,
    );
});

test("a search provider's key is kept out of the logs", () => {
  const result = load('web: { search: { provider: brave, api_key: key-0123456789 } }');
  assert.ok(result.ok);
  assert.deepEqual(listSecrets(result.config, []), ['key-0123456789']);
});
