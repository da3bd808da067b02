// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are YAML's, not JavaScript's
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from './load.ts';
import { errors, folder, loaded, model, warnings, withFile, withoutFile } from './testing/loading.ts';
import { testManifests } from './testing/manifests.ts';

test('without a file and environment there is a page and an assistant, and no model', () => {
  const config = loaded(withoutFile({}));
  assert.deepEqual(config.server, { host: '127.0.0.1', port: 2026 });
  assert.deepEqual(config.models, []);
  assert.deepEqual(Object.keys(config.channels), ['web']);
  assert.equal(config.assistant_id, 'lead');
  assert.equal(config.assistants.lead?.model, undefined);
  assert.equal(config.data_dir, join(tmpdir(), 'data'));
});

test('the environment alone makes a model and a bot that answers', () => {
  const result = withoutFile({
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    OPENAI_MODEL: 'm',
    TELEGRAM_BOT_TOKEN: '1:t',
    TELEGRAM_API_ROOT: 'http://127.0.0.1:2',
    TELEGRAM_POLL_SECONDS: '5',
    REDIS_URL: 'redis://127.0.0.1:3',
    DATABASE_URL: 'postgres://127.0.0.1/x',
    ANTLER_PORT: '4000',
    ANTLER_HOST: '0.0.0.0',
    ANTLER_DATA_DIR: '/elsewhere',
  });
  const config = loaded(result);
  const [main] = config.models;
  assert.deepEqual(
    [main?.name, main?.base_url, main?.api_key, main?.model],
    ['main', 'http://127.0.0.1:1/v1', 'k', 'm'],
  );
  assert.equal(config.assistants.lead?.model, 'main');
  const { telegram } = config.channels;
  assert.deepEqual(telegram?.settings, {
    bot_token: '1:t',
    api_root: 'http://127.0.0.1:2',
    transport: 'polling',
    poll_seconds: 5,
  });
  assert.deepEqual(
    [telegram?.access.dm, telegram?.access.groups, telegram?.access.require_mention],
    ['open', 'open', true],
  );
  assert.equal(config.redis.url, 'redis://127.0.0.1:3');
  assert.equal(config.database.url, 'postgres://127.0.0.1/x');
  assert.deepEqual(config.server, { host: '0.0.0.0', port: 4000 });
  assert.equal(config.data_dir, '/elsewhere');
  assert.deepEqual(warnings(result), []);
});

test('half an environment is told, and does not keep Antler from starting', () => {
  assert.deepEqual(warnings(withoutFile({ OPENAI_API_KEY: 'k' })), [
    '$OPENAI_API_KEY: is set but OPENAI_MODEL is not, so no model is connected; set OPENAI_MODEL to a name such as gpt-5-mini',
  ]);
  assert.deepEqual(warnings(withoutFile({ OPENAI_MODEL: 'm' })), [
    '$OPENAI_MODEL: is set but neither OPENAI_API_KEY nor OPENAI_BASE_URL is, so no model is connected; set the key, or the URL of a server that needs none',
  ]);
  assert.deepEqual(warnings(withoutFile({ SLACK_BOT_TOKEN: 'a' })), [
    '$SLACK_BOT_TOKEN: is set, but the channel also needs SLACK_APP_TOKEN',
  ]);
});

test('a wrong variable is named, with its value unless that is secret', () => {
  assert.deepEqual(errors(withoutFile({ ANTLER_PORT: '80a', REDIS_URL: 'http://secret@x' })), [
    '$ANTLER_PORT (server.port): expected a number, got "80a"',
    '$REDIS_URL (redis.url): expected a URL that starts with redis:// or rediss://',
  ]);
});

test('command line beats ANTLER_ variables, they beat the file, and the file beats well-known variables', () => {
  const yaml = `${model}server: { host: 10.0.0.1, port: 1 }\nredis: { url: redis://file }\nchannels: { telegram: { bot_token: file } }\n`;
  const env = {
    ANTLER_PUBLIC_URL: 'https://bot.example',
    ANTLER_PORT: '2',
    ANTLER_HOST: '10.0.0.2',
    REDIS_URL: 'redis://env',
    OPENAI_MODEL: 'x',
    OPENAI_API_KEY: 'y',
    TELEGRAM_BOT_TOKEN: 'env',
    TELEGRAM_TRANSPORT: 'webhook',
  };
  const config = loaded(withFile(yaml, { env, port: 3 }));
  assert.deepEqual(config.server, { host: '10.0.0.2', port: 3, public_url: 'https://bot.example' });
  assert.equal(config.redis.url, 'redis://file');
  assert.deepEqual(
    config.models.map((entry) => entry.model),
    ['m'],
  );
  assert.deepEqual(config.channels.telegram?.settings, {
    bot_token: 'file',
    api_root: 'https://api.telegram.org',
    transport: 'webhook',
    poll_seconds: 30,
  });
});

test('a bot of the file is not doubled by the environment under another name', () => {
  const config = loaded(
    withFile('channels: { support: { type: telegram, bot_token: $TELEGRAM_BOT_TOKEN } }', {
      env: { TELEGRAM_BOT_TOKEN: '1:t' },
    }),
  );
  assert.deepEqual(Object.keys(config.channels), ['support', 'web']);
});

test('what is disabled needs neither its variables nor its required keys, but its keys are still checked', () => {
  const config = loaded(
    withFile('channels:\n  slack: { enabled: false, bot_token: $NOT_SET }\n  web: { enabled: false }\n'),
  );
  assert.equal(config.channels.slack?.enabled, false);
  assert.equal(config.channels.web?.enabled, false);
  assert.deepEqual(errors(withFile('channels: { slack: { enabled: false, bot_tokn: $NOT_SET } }')), [
    'config.yaml:1:38 channels.slack.bot_tokn: unknown key; did you mean "bot_token"?',
  ]);
  const switched = 'channels: { slack: { enabled: "${SLACK:-false}", bot_token: $NOT_SET } }';
  assert.equal(loaded(withFile(switched)).channels.slack?.enabled, false);
});

test('references stand anywhere in a text, have defaults, and are read as what is expected', () => {
  const yaml = [
    'server: { port: $PORT, public_url: "https://${NAME}.example.com" }',
    'data_dir: ${DIR:-/var/lib/antler}',
    'models: [{ name: main, model: m, api_key: $KEY, vision: $YES }]',
    'assistants: { lead: { soul: "It costs $$5 and $5." } }',
    'channels: { telegram: { bot_token: t, access: { allow_users: $USERS } } }',
  ].join('\n');
  const config = loaded(withFile(yaml, { env: { PORT: '81', NAME: 'bot', KEY: '0123', YES: 'true', USERS: '7, 8' } }));
  assert.deepEqual(config.server, { host: '127.0.0.1', port: 81, public_url: 'https://bot.example.com' });
  assert.equal(config.data_dir, '/var/lib/antler');
  assert.equal(config.models[0]?.api_key, '0123');
  assert.equal(config.models[0]?.vision, true);
  assert.equal(config.assistants.lead?.soul, 'It costs $5 and $5.');
  assert.deepEqual(config.channels.telegram?.access.allow_users, ['7', '8']);
});

test('numbers where text is expected are taken as they were written', () => {
  const config = loaded(
    withFile(
      'channels: { telegram: { bot_token: 0012, access: { allow_users: [12345678901], allow_groups: [-1001234567890] } } }',
    ),
  );
  assert.deepEqual(config.channels.telegram?.access.allow_users, ['12345678901']);
  assert.deepEqual(config.channels.telegram?.access.allow_groups, ['-1001234567890']);
  assert.partialDeepStrictEqual(config.channels.telegram?.settings, { bot_token: '0012' });
});

test('empty sections, comments alone, and an empty file are fine', () => {
  for (const yaml of ['', '# nothing\n', 'server:\nmodels:\nassistants:\n  lead:\nchannels:\nredis:\n  url: ""\n']) {
    const config = loaded(withFile(yaml));
    assert.deepEqual(Object.keys(config.channels), ['web']);
    assert.equal(config.redis.url, undefined);
  }
});

test('an allowlist without entries is pointed out', () => {
  const yaml =
    'channels:\n  telegram:\n    bot_token: t\n    access: { dm: allowlist, groups: allowlist, allow_groups: [] }\n';
  assert.deepEqual(warnings(withFile(yaml)), [
    'config.yaml:4:5 channels.telegram.access.allow_users: the list is empty, so nobody can write to the bot directly',
    'config.yaml:4:63 channels.telegram.access.allow_groups: the list is empty, so the bot answers in no group',
  ]);
});

test('a file that was asked for must be there', () => {
  assert.deepEqual(errors(withoutFile({}, { path: 'nowhere.yaml' })), ['nowhere.yaml: there is no such file']);
  assert.deepEqual(errors(withoutFile({ ANTLER_CONFIG: 'gone.yaml' })), [
    'gone.yaml: there is no such file (named by $ANTLER_CONFIG)',
  ]);
  assert.deepEqual(errors(withoutFile({}, { path: folder })), [`${folder}: this is a folder, not a file`]);
});

test('--config wins over $ANTLER_CONFIG', () => {
  writeFileSync(join(folder, 'a.yaml'), 'data_dir: /a');
  writeFileSync(join(folder, 'b.yaml'), 'data_dir: /b');
  const result = loadConfig({
    path: 'a.yaml',
    env: { ANTLER_CONFIG: 'b.yaml' },
    manifests: testManifests,
    cwd: folder,
  });
  assert.equal(loaded(result).data_dir, '/a');
  assert.equal(result.file, 'a.yaml');
});
