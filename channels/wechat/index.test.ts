import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { channelBook } from '../../src/app/channels.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/schema/config.ts';
import { listSecrets } from '../../src/config/secrets.ts';
import { wechat as manifest } from './index.ts';

const load = (env: Record<string, string>) =>
  loadConfig({ env, manifests: [manifest], cwd: tmpdir(), path: '/dev/null' });

function configOf(settings: object): Config {
  const loaded = load({ WECHAT_TRANSPORT: 'ilink' });
  assert.ok(loaded.ok);
  const { wechat } = loaded.config.channels;
  assert.ok(wechat !== undefined);
  return { ...loaded.config, channels: { wechat: { ...wechat, settings: manifest.config.parse(settings) } } };
}

const entryOf = (settings: object) => channelBook(configOf(settings)).get('wechat')?.manifest;
const puppet = { transport: 'wechaty', puppet_options: { token: 'puppet_workpro_0123456789' } };

test('one variable is enough, since a login brings all the rest', () => {
  const loaded = load({ WECHAT_TRANSPORT: 'ilink' });
  assert.ok(loaded.ok);
  const { transport, api_root, cdn_root } = manifest.config.parse(loaded.config.channels.wechat?.settings);
  assert.deepEqual(
    [transport, api_root, cdn_root],
    ['ilink', 'https://ilinkai.weixin.qq.com', 'https://novac2c.cdn.weixin.qq.com/c2c'],
  );
  const without = load({});
  assert.ok(without.ok);
  assert.deepEqual(Object.keys(without.config.channels), []);
  const wrong = load({ WECHAT_TRANSPORT: 'carrier pigeon' });
  assert.ok(!wrong.ok);
  assert.match(wrong.problems[0]?.text ?? '', /WECHAT_TRANSPORT/);
});

test('a puppet service needs its token, which is a secret; wechat4u needs none', () => {
  const missing = manifest.config.safeParse({ transport: 'wechaty' });
  assert.deepEqual(missing.error?.issues[0]?.path, ['puppet_options', 'token']);
  assert.ok(manifest.config.safeParse({ transport: 'wechaty', puppet: 'wechaty-puppet-wechat4u' }).success);
  assert.deepEqual(listSecrets(configOf(puppet), [manifest]), ['puppet_workpro_0123456789']);
});

test('what a channel can do depends on how it reaches WeChat', () => {
  const [ilink, wechaty] = [entryOf({ transport: 'ilink' }), entryOf(puppet)];
  assert.deepEqual([ilink?.capabilities.textUnit, wechaty?.capabilities.textUnit], ['bytes', 'chars']);
  assert.deepEqual([ilink?.capabilities.typing, wechaty?.capabilities.typing], [true, false]);
  const markdown = '谢'.repeat(3_000);
  assert.deepEqual(
    [ilink, wechaty].map((entry) => entry?.split({ markdown }).length),
    [1, 2],
  );
  for (const entry of [ilink, wechaty]) assert.equal(entry?.exclusive({}), true);
});
