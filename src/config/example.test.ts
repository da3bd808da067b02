import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import type { z } from 'zod';
import { manifests } from '../app/channels.ts';
import { type ConfigResult, loadConfig } from './load.ts';
import { isMapping } from './path.ts';
import { channelSchema } from './schema/channel.ts';
import { type Config, configSchema } from './schema/config.ts';
import { fieldsOf, shapeOf } from './shape.ts';

const example = readFileSync(join(import.meta.dirname, '../../config.example.yaml'), 'utf8');
/** With every setting switched on: remarks have exactly one space behind their `#`. */
const everything = example.replace(/^( *)#(?! \S|$)/gm, '$1');

const folder = mkdtempSync(join(tmpdir(), 'antler-example-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const variables = {
  OPENAI_API_KEY: 'k',
  OPENAI_MODEL: 'm',
  SLACK_BOT_TOKEN: 'xoxb-1-a',
  SLACK_APP_TOKEN: 'xapp-1-a',
  SLACK_SIGNING_SECRET: '0123456789abcdef',
  SLACK_VERIFICATION_TOKEN: '0123456789abcdef',
  TELEGRAM_BOT_TOKEN: '123456:abc',
  TELEGRAM_WEBHOOK_SECRET: 'secret',
  FEISHU_APP_ID: 'cli_0123456789abcdef',
  FEISHU_APP_SECRET: 'secret',
  FEISHU_ENCRYPT_KEY: 'key',
  FEISHU_VERIFICATION_TOKEN: 'token',
  WECHAT_PUPPET_TOKEN: 'token',
  WECOM_BOT_ID: 'aib0123456789',
  WECOM_BOT_SECRET: 'secret',
  WECOM_TOKEN: 'token',
  WECOM_ENCODING_AES_KEY: 'jWmYm7qr5nMoAUwZRjGtBxmz3KA1tkAj3ykkR6q2B2C',
  WECOM_CORP_SECRET: 'secret',
  ANTLER_OWNER_TOKEN: 'long enough',
  GUARDRAILS_TOKEN: 'token',
  GITHUB_TOKEN: 'token',
  DOCS_TOKEN: 'token',
  CRM_CLIENT_SECRET: 'token',
  CRM_REFRESH_TOKEN: 'token',
  SEARCH_API_KEY: 'key',
  WEATHER_API_KEY: 'secret-key',
  REDIS_URL: 'redis://127.0.0.1:6379',
  DATABASE_URL: 'postgres://127.0.0.1/antler',
};

function load(yaml: string, env: Record<string, string>): ConfigResult {
  writeFileSync(join(folder, 'config.yaml'), yaml);
  return loadConfig({ env, manifests, cwd: folder });
}

function loaded(yaml: string, env: Record<string, string> = {}): Config {
  const result = load(yaml, env);
  assert.deepEqual(result.ok ? [] : result.problems.map((problem) => problem.text), []);
  assert.ok(result.ok);
  return result.config;
}

test('a copy of the example works as it is, without any variable', () => {
  const config = loaded(example);
  assert.deepEqual(Object.keys(config.channels), ['web']);
  assert.deepEqual(config.models, []);
});

test('a copy says what is said without a file', () => {
  const plain = loadConfig({ env: {}, manifests, cwd: folder, path: '/dev/null' });
  assert.ok(plain.ok);
  assert.deepEqual(loaded(example), plain.config);
});

test('a copy leaves room for the environment', () => {
  const config = loaded(example, variables);
  assert.deepEqual(Object.keys(config.channels).toSorted(), ['feishu', 'slack', 'telegram', 'web', 'wecom']);
  assert.equal(config.models[0]?.model, 'm');
});

test('with every setting switched on, the example is valid', () => {
  const config = loaded(everything, variables);
  assert.deepEqual(
    config.models.map((model) => model.name),
    ['main', 'local', 'demo'],
  );
  assert.equal(config.channels.telegram?.access.dm, 'open');
});

test('every key of the schema is in the example', () => {
  const tree: unknown = parse(everything);
  assert.ok(isMapping(tree) && isMapping(tree.channels));
  const missing = missingKeys(configSchema, tree, '');
  const { telegram } = tree.channels;
  missing.push(...missingKeys(channelSchema, telegram, 'channels.telegram.'));
  for (const { type, config } of manifests)
    missing.push(...missingKeys(config, tree.channels[type], `channels.${type}.`));
  assert.deepEqual(missing, []);
});

/** In a list or a record, or where all keys hold the same, it is enough that one entry shows a key. */
function missingKeys(schema: z.core.$ZodType, value: unknown, at: string): string[] {
  const { def } = shapeOf(schema).core._zod;
  const alike = def.type === 'object' ? commonShape(Object.values(def.shape)) : null;
  if (def.type === 'array' || def.type === 'record' || alike !== null) {
    const inner = alike ?? (def.type === 'array' ? def.element : def.type === 'record' ? def.valueType : schema);
    const merged = Object.assign({}, ...Object.values(value ?? {}).filter(isMapping));
    return fieldsOf(inner) === null ? [] : missingKeys(inner, merged, at);
  }
  return [...(fieldsOf(schema) ?? [])].flatMap(([key, child]) => {
    if (!isMapping(value) || !Object.hasOwn(value, key)) return [`${at}${key}`];
    return missingKeys(child, value[key], `${at}${key}.`);
  });
}

/** What several keys all hold; null when they differ. */
function commonShape(children: readonly z.core.$ZodType[]): z.core.$ZodType | null {
  const cores = new Set(children.map((child) => shapeOf(child).core));
  const [core] = cores;
  return children.length > 1 && cores.size === 1 && core?._zod.def.type === 'object' ? core : null;
}

test('no adapter forgets to mark its secrets', () => {
  const unmarked = manifests.flatMap(({ type, config }) =>
    [...(fieldsOf(config) ?? [])]
      .filter(([key, schema]) => /token|secret|password|_key$/.test(key) && !shapeOf(schema).secret)
      .map(([key]) => `${type}.${key} lacks .meta({ secret: true })`),
  );
  assert.deepEqual(unmarked, []);
});
