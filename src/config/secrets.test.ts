import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { loadConfig } from './load.ts';
import { listSecrets, maskSecrets } from './secrets.ts';
import { testManifests } from './testing/manifests.ts';

const loaded = loadConfig({
  cwd: tmpdir(),
  manifests: testManifests,
  env: {
    OPENAI_API_KEY: 'sk-secret-1',
    OPENAI_MODEL: 'm',
    TELEGRAM_BOT_TOKEN: '1:secret-2',
    REDIS_URL: 'redis://user:secret%2F3@redis.example:6379/2',
    DATABASE_URL: 'postgres://db.example/antler?password=secret-4',
    ANTLER_OWNER_TOKEN: 'owner-secret-5',
  },
});

test('a masked configuration shows everything but its secrets', () => {
  assert.ok(loaded.ok);
  const masked = maskSecrets(loaded.config, testManifests);
  const text = JSON.stringify(masked);
  assert.ok(!/secret[-%/]/.test(text), text);
  assert.partialDeepStrictEqual(masked, {
    server: { owner_token: '***', port: 2026 },
    redis: { url: 'redis://***@redis.example:6379/2' },
    database: { url: 'postgres://db.example/antler' },
    models: [{ api_key: '***', base_url: 'https://api.openai.com/v1' }],
    channels: { telegram: { settings: { bot_token: '***', api_root: 'https://api.telegram.org' } } },
  });
});

test('the secrets are listed for the logger, passwords of URLs in both spellings', () => {
  assert.ok(loaded.ok);
  assert.deepEqual(listSecrets(loaded.config, testManifests).toSorted(), [
    '1:secret-2',
    'owner-secret-5',
    'secret%2F3',
    'secret-4',
    'secret/3',
    'sk-secret-1',
  ]);
});
