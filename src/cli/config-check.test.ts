import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { loadConfig } from '../config/load.ts';
import { testManifests } from '../config/testing/manifests.ts';
import { runConfigCheck } from './config-check.ts';

function check(env: Record<string, string>): { code: number; lines: string[] } {
  const lines: string[] = [];
  const result = loadConfig({ env, manifests: testManifests, cwd: tmpdir() });
  return { code: runConfigCheck(result, { print: (line) => lines.push(line) }), lines };
}

test('a good configuration is summed up in a line', () => {
  const env = {
    OPENAI_API_KEY: 'sk-secret',
    OPENAI_MODEL: 'm',
    TELEGRAM_BOT_TOKEN: '1:secret',
    REDIS_URL: 'redis://h',
  };
  assert.deepEqual(check(env), {
    code: 0,
    lines: [
      'config ok: no file, environment and defaults · 1 model (main) · 1 assistant (lead) · 2 channels (telegram, web) · Redis · embedded database',
    ],
  });
});

test('warnings come first, and are no failure', () => {
  const { code, lines } = check({ OPENAI_MODEL: 'm' });
  assert.equal(code, 0);
  assert.match(lines[0] ?? '', /^warning: \$OPENAI_MODEL: is set but neither/);
  assert.match(lines[1] ?? '', /^config ok: .* · no model · /);
});

test('mistakes are listed, counted, and end with 1', () => {
  assert.deepEqual(check({ ANTLER_PORT: 'x', ANTLER_LOG_LEVEL: 'loud' }), {
    code: 1,
    lines: [
      '$ANTLER_PORT (server.port): expected a number, got "x"',
      '$ANTLER_LOG_LEVEL (log.level): expected "debug", "info", "warn", "error" or "silent", got "loud"',
      '2 mistakes',
    ],
  });
});
