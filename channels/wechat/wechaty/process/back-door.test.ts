import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBackDoor } from './back-door.ts';

/** What wechat4u looks for in every text, after it has made characters of its pictures. */
const LOGS_OUT = /^(.\udf1a\u0020\ud83c.){3}$/;
const row = '🌚 🌝'.repeat(3);

/** As much of wechat4u and its puppet as is patched. */
function puppetWith(handled: string[]) {
  const client = {
    handleMsg(messages: readonly { Content: string }[]) {
      assert.equal(this, client);
      handled.push(...messages.map(({ Content }) => Content));
    },
  };
  return { client, puppet: { monkeyPatch: (_client: object) => {} } };
}

test('nobody can log the bot out by a row of moons', () => {
  const handled: string[] = [];
  const { client, puppet } = puppetWith(handled);
  withoutBackDoor(puppet);
  puppet.monkeyPatch(client);
  assert.match(row, LOGS_OUT);
  const raw = '<span class="emoji emoji1f31a"></span> 🌝';
  client.handleMsg([{ Content: row }, { Content: raw }, { Content: 'hello' }]);
  assert.deepEqual(handled, [`${row}\u200b`, `${raw}\u200b`, 'hello']);
  assert.doesNotMatch(handled[0] ?? '', LOGS_OUT);
});

test('a puppet that is made differently is left alone', () => {
  withoutBackDoor({});
});

test('the real wechat4u has what is patched', async () => {
  const { PuppetWechat4u } = await import('wechaty-puppet-wechat4u');
  assert.equal(typeof Reflect.get(PuppetWechat4u.prototype, 'monkeyPatch'), 'function');
});
