// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are YAML's, not JavaScript's
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from './load.ts';
import { errors, folder, loaded, model, warnings, withFile, withoutFile } from './testing/loading.ts';
import { testManifests } from './testing/manifests.ts';

/** What somebody writes, and every line that they get for it. */
const mistakes: readonly (readonly [string, string, readonly string[], Record<string, string>?])[] = [
  [
    'a misspelt key of a channel',
    'channels:\n  telegram:\n    bot_token: t\n    api_rot: https://x.example\n',
    ['config.yaml:4:5 channels.telegram.api_rot: unknown key; did you mean "api_root"?'],
  ],
  [
    'a misspelt key that all channels have',
    'channels:\n  telegram: { bot_token: t, enabeld: false }\n',
    ['config.yaml:2:29 channels.telegram.enabeld: unknown key; did you mean "enabled"?'],
  ],
  [
    'misspelt keys at several depths, at once',
    'sever: {}\nserver: { prot: 1 }\nchannels:\n  slack: { bot_token: a, app_token: b, retries: { cuont: 1 } }\n',
    [
      'config.yaml:1:1 sever: unknown key; did you mean "server"?',
      'config.yaml:2:11 server.prot: unknown key; did you mean "port"?',
      'config.yaml:4:51 channels.slack.retries.cuont: unknown key; did you mean "count"?',
    ],
  ],
  ['an unknown key that is near nothing', 'xyzzyxyzzy: 1\n', ['config.yaml:1:1 xyzzyxyzzy: unknown key']],
  [
    'wrong types',
    'server: { port: eighty }\nmodels: main\nlog: quiet\nassistants: { lead: { max_steps: 1.5 } }\n',
    [
      'config.yaml:1:17 server.port: expected a number, got "eighty"',
      'config.yaml:2:9 models: expected a list, got "main"',
      'config.yaml:3:6 log: expected keys and values, got "quiet"',
      'config.yaml:4:34 assistants.lead.max_steps: expected a whole number, got 1.5',
    ],
  ],
  [
    'numbers out of range',
    'server: { port: 70000 }\nmodels: [{ name: a, model: m, temperature: -1, idle_timeout_seconds: 0 }]\n',
    [
      'config.yaml:1:17 server.port: expected at most 65535, got 70000',
      'config.yaml:2:44 models[0].temperature: expected at least 0, got -1',
      'config.yaml:2:70 models[0].idle_timeout_seconds: expected more than 0, got 0',
    ],
  ],
  [
    'words that are no choice',
    'log: { level: wran }\nlanguage: de\nchannels: { telegram: { bot_token: t, transport: pollng } }\n',
    [
      'config.yaml:1:15 log.level: expected "debug", "info", "warn", "error" or "silent", got "wran"; did you mean "warn"?',
      'config.yaml:2:11 language: expected "en" or "zh", got "de"',
      'config.yaml:3:50 channels.telegram.transport: expected "polling" or "webhook", got "pollng"; did you mean "polling"?',
    ],
  ],
  [
    'keys that are missing',
    'models:\n  - base_url: https://x.example/v1\nchannels:\n  telegram:\n  slack:\n    bot_token:\n    app_token: b\n',
    [
      'config.yaml:2:5 models[0].name: missing; expected text',
      'config.yaml:4:3 channels.telegram.bot_token: missing; expected text',
      'config.yaml:6:15 channels.slack.bot_token: missing; expected text',
    ],
  ],
  [
    'a model without the name at the endpoint',
    'models:\n  - name: main\n',
    ["config.yaml:2:5 models[0].model: missing; expected the endpoint's name for the model, such as gpt-5-mini"],
  ],
  [
    'keys that are there twice',
    'channels:\n  telegram:\n    bot_token: a\n    bot_token: b\nserver: {}\nserver: {}\n',
    [
      'config.yaml:4:5 channels.telegram.bot_token: this key is here twice (first on line 3); keep one',
      'config.yaml:6:1 server: this key is here twice (first on line 5); keep one',
    ],
  ],
  [
    'a syntax error',
    'server:\n  port: 1\n host: x\n',
    ['config.yaml:3:1: not valid YAML: All mapping items must start at the same column'],
  ],
  [
    'an unknown alias, one that holds itself, and an unknown anchor word',
    'data_dir: *nowhere\nassistants: &a { lead: *a }\n',
    [
      'config.yaml:1:11 data_dir: unknown alias "*nowhere"; an anchor "&nowhere" must come before it',
      'config.yaml:2:24 assistants.lead: this alias contains itself',
    ],
  ],
  ['a list instead of keys', '- 1\n', ['config.yaml:1:1: expected keys and values, such as "version: 1"']],
  [
    'a file of a newer version, whose other keys are not judged',
    'version: 2\nnew_section: {}\n',
    [
      'config.yaml:1:10 version: this file is of version 2, but this Antler understands version 1; install a newer Antler',
    ],
  ],
  [
    'variables that are not set',
    'models:\n  - { name: main, model: m, api_key: $OPENAI_API_KY }\nserver: { public_url: "https://${HOST_OF_BOT}" }\n',
    [
      'config.yaml:2:38 models[0].api_key: the environment variable OPENAI_API_KY is not set; did you mean "OPENAI_API_KEY"?',
      'config.yaml:3:23 server.public_url: the environment variable HOST_OF_BOT is not set; for a plain dollar sign write "$$"',
    ],
    { OPENAI_API_KEY: 'k' },
  ],
  [
    'a reference that is none',
    'data_dir: ${A:?no}\n',
    ['config.yaml:1:11 data_dir: expected ${NAME} or ${NAME:-default}; write "$$" for a plain dollar sign'],
  ],
  [
    'names that refer to nothing',
    `${model}assistants:\n  lead: { model: mian, fallbacks: [main, other] }\nassistant_id: laed\nchannels:\n  telegram: { bot_token: t, assistant_id: research }\n`,
    [
      'config.yaml:3:18 assistants.lead.model: unknown model "mian"; did you mean "main"?',
      'config.yaml:3:42 assistants.lead.fallbacks[1]: unknown model "other"; there is main',
      'config.yaml:4:15 assistant_id: unknown assistant "laed"; did you mean "lead"?',
      'config.yaml:6:43 channels.telegram.assistant_id: unknown assistant "research"; there is lead',
    ],
  ],
  [
    'one name for two models',
    'models:\n  - { name: a, model: x }\n  - { name: a, model: y }\n',
    ['config.yaml:3:13 models[1].name: another model is named "a" already; names must differ'],
  ],
  [
    'unknown channel types',
    'channels:\n  telegran: { bot_token: t }\n  support: { type: irc }\n',
    [
      'config.yaml:2:3 channels.telegran: unknown channel type "telegran"; did you mean "telegram"? (give a channel of another name its "type")',
      'config.yaml:3:20 channels.support.type: unknown channel type "irc"; this Antler has telegram, slack, web',
    ],
  ],
  [
    'an unknown name where two have the same',
    'models:\n  - { name: main, model: m }\n  - { name: main, model: m }\nassistants: { lead: { model: locl } }\n',
    [
      'config.yaml:3:13 models[1].name: another model is named "main" already; names must differ',
      'config.yaml:4:30 assistants.lead.model: unknown model "locl"; there is main',
    ],
  ],
  [
    'bare numbers where a place is meant',
    'server: { host: 5 }\ndata_dir: 7\n',
    [
      'config.yaml:1:17 server.host: expected an address such as 127.0.0.1, not a number',
      'config.yaml:2:11 data_dir: expected a folder such as ./data, not a number (write "./7" for a folder named 7)',
    ],
  ],
  [
    'the demo model with an endpoint',
    'models: [{ name: demo, demo: true, api_key: k, model: m }]\n',
    [
      'config.yaml:1:36 models[0].api_key: the built-in demo model has none; take this away, or "demo: true"',
      'config.yaml:1:48 models[0].model: the built-in demo model has none; take this away, or "demo: true"',
    ],
  ],
  [
    'a file of two documents',
    'version: 1\n---\nversion: 1\n',
    ['config.yaml:2:1: a second document begins here; keep one, without "---" between settings'],
  ],
  [
    'names that cannot be part of a URL',
    'channels:\n  my bot: { type: web }\nassistants: { "a/b": {} }\n',
    [
      'config.yaml:2:3 channels["my bot"]: expected a name of letters, digits, "-" and "_", at most 64 long',
      'config.yaml:3:15 assistants["a/b"]: expected a name of letters, digits, "-" and "_", at most 64 long',
    ],
  ],
  [
    'URLs of another kind',
    'redis: { url: localhost:6379 }\ndatabase: { url: mysql://x }\nmodels: [{ name: a, model: m, base_url: api.example.com }]\nchannels: { telegram: { bot_token: t, api_root: nowhere } }\n',
    [
      'config.yaml:1:15 redis.url: expected a URL that starts with redis:// or rediss://',
      'config.yaml:2:18 database.url: expected a URL that starts with postgres:// or postgresql://',
      'config.yaml:3:41 models[0].base_url: expected a URL that starts with http:// or https://',
      'config.yaml:4:49 channels.telegram.api_root: expected a URL such as https://example.com',
    ],
  ],
];

for (const [name, yaml, expected, env] of mistakes)
  test(`mistake: ${name}`, () => assert.deepEqual(errors(withFile(yaml, { env: env ?? {} })), expected));

test('an unknown tool is a mistake, and `all` stands for every one', () => {
  const yaml = 'assistants:\n  lead: { tools: [calculater] }\n  second: { tools: [all, browser] }\n';
  assert.deepEqual(errors(withFile(yaml, { tools: ['calculator', 'current_time'] })), [
    'config.yaml:2:19 assistants.lead.tools[0]: unknown tool "calculater"; did you mean "calculator"?',
    'config.yaml:3:26 assistants.second.tools[1]: unknown tool "browser"; there is all, calculator, current_time',
  ]);
});

test('settings that only work with a public address are a mistake without one', () => {
  const yaml = 'channels:\n  telegram:\n    bot_token: t\n    transport: webhook\n';
  const mistake = ['config.yaml:4:16 channels.telegram.transport: webhook needs server.public_url'];
  assert.deepEqual(errors(withFile(yaml)), mistake);
  assert.deepEqual(errors(withFile(`${yaml}server: { public_url: https://bot.example }\n`)), []);
  assert.deepEqual(errors(withFile(`${yaml}    enabled: false\n`)), []);
});

test('one bot in two enabled channels is a mistake that names both, without the token', () => {
  const second = (enabled: boolean): string =>
    `channels:\n  telegram: { bot_token: "1:abc" }\n  support: { type: telegram, bot_token: "1:abc", enabled: ${enabled} }\n`;
  assert.deepEqual(errors(withFile(second(true))), [
    'config.yaml:3:41 channels.support.bot_token: this is the bot of channel "telegram" already; give "support" one of its own, or disable one of them',
  ]);
  assert.deepEqual(errors(withFile(second(false))), []);
});

test('a file that is not UTF-8 is refused, with the place', () => {
  const before = Buffer.from('language: en\n# \uFFFD fine, but M');
  writeFileSync(join(folder, 'config.yaml'), Buffer.concat([before, Buffer.from([0xfc]), Buffer.from('ller\n')]));
  const [first] = errors(loadConfig({ env: {}, manifests: testManifests, cwd: folder }));
  assert.equal(first, 'config.yaml:2:16: byte 30 of the file belongs to no character of UTF-8; save the file as UTF-8');
});

test("a misspelt variable of ours is a warning, anybody else's is not", () => {
  const env = { ANTLER_PROT: '3', ANTLER_SERVICE_HOST: '10.0.0.1', ANTLER_HOTS: 'used' };
  assert.deepEqual(warnings(withFile('assistants: { lead: { soul: $ANTLER_HOTS } }', { env })), [
    '$ANTLER_PROT: means nothing; did you mean "ANTLER_PORT"?',
  ]);
});

test('an OPENAI_BASE_URL that is none is a mistake, with a model and without', () => {
  assert.deepEqual(errors(withoutFile({ OPENAI_BASE_URL: 'localhost:11434' })), [
    '$OPENAI_BASE_URL: expected a URL that starts with http:// or https://',
  ]);
  assert.deepEqual(errors(withoutFile({ OPENAI_BASE_URL: 'localhost:11434', OPENAI_MODEL: 'm' })), [
    '$OPENAI_BASE_URL (models[0].base_url): expected a URL that starts with http:// or https://',
  ]);
});

test('deep nesting is told in a sentence', () => {
  const deep = (depth: number): string[] => errors(withFile(`data_dir: ${'['.repeat(depth)}${']'.repeat(depth)}\n`));
  for (const depth of [60, 20_000]) {
    const found = deep(depth);
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', /^config\.yaml:1:\d+.*: nested too deeply; no setting is that deep$/);
  }
  const block = Array.from({ length: 3_000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n');
  assert.match(errors(withFile(block)).join('\n'), /nested too deeply/);
});

test('a secret in a wrong place or of a wrong kind is never shown', () => {
  const token = '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
  const places = [
    `channels: { telegram: { bot_token: [${token}] } }`,
    `channels: { telegram: { bot_token: t, transport: "${token}" } }`,
    `channels: { telegram: { bot_token: t, poll_seconds: $TOKEN } }`,
    `server: { port: "${token}" }`,
    `log: { level: $TOKEN }`,
    `redis: { url: "${token}" }`,
    `language: "${token}"`,
  ];
  for (const place of places) {
    const found = errors(withFile(place, { env: { TOKEN: token } }));
    assert.equal(found.length, 1, place);
    assert.ok(!found.join().includes('AAHdq'), found.join());
  }
  assert.deepEqual(errors(withFile('log: { level: $TOKEN }', { env: { TOKEN: token } })), [
    'config.yaml:1:15 log.level: expected "debug", "info", "warn", "error" or "silent", got the value of $TOKEN',
  ]);
});

test('a file full of aliases is refused in time', () => {
  const levels = Array.from(
    { length: 12 },
    (_, i) => `l${i}: &l${i} [${Array(10).fill(i === 0 ? 'x' : `*l${i - 1}`)}]`,
  );
  const started = performance.now();
  assert.ok(errors(withFile(levels.join('\n'))).some((text) => text.endsWith('more than 100 aliases')));
  assert.ok(performance.now() - started < 2000);
});

test('a comma may stand in a password; only a Redis may have several addresses', () => {
  const urls = 'redis: { url: "redis://:a,b@h:1,redis://:c@h:2" }\ndatabase: { url: "postgres://u:a,b@h/db" }\n';
  const { redis, database } = loaded(withFile(urls));
  assert.deepEqual([redis.url, database.url], ['redis://:a,b@h:1,redis://:c@h:2', 'postgres://u:a,b@h/db']);
  assert.equal(errors(withFile('redis: { url: "redis://h:1,http://h:2" }\n')).length, 1);
});
