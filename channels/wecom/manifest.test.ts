import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load.ts';
import { transportOf, type WecomConfig, wecomConfig } from './config.ts';
import { refusal, socketError } from './errors.ts';
import { wecom } from './index.ts';
import { wecomFor } from './testing/manifest.ts';

const load = (env: Record<string, string>) => loadConfig({ env, manifests: [wecom], cwd: tmpdir(), path: '/dev/null' });

test('the Bot ID and its Secret in the environment are enough', () => {
  for (const name of ['WECOM_BOT_SECRET', 'WECOM_SECRET']) {
    const loaded = load({ WECOM_BOT_ID: 'aib1', [name]: 's' });
    assert.ok(loaded.ok, JSON.stringify(loaded));
    const settings = loaded.config.channels.wecom?.settings as WecomConfig;
    assert.deepEqual([settings.bot_id, settings.secret, transportOf(settings)], ['aib1', 's', 'websocket']);
  }
});

test('an app can be made of the environment alone, and keeps its numbers', () => {
  const loaded = load({
    WECOM_CORP_ID: 'ww1',
    WECOM_AGENT_ID: '1000002',
    WECOM_CORP_SECRET: 's',
    WECOM_TOKEN: 't',
    WECOM_ENCODING_AES_KEY: `${'A'.repeat(43)}=`,
  });
  assert.ok(loaded.ok, JSON.stringify(loaded));
  const settings = loaded.config.channels.wecom?.settings as WecomConfig;
  assert.deepEqual(
    [settings.agent_id, transportOf(settings), settings.encoding_aes_key?.length],
    ['1000002', 'app', 43],
  );
});

test('a key that is missing is named', () => {
  const problems = (config: object) => wecomConfig.safeParse(config).error?.issues.map(({ message }) => message) ?? [];
  assert.deepEqual(problems({ bot_id: 'a' }), ['transport websocket needs secret']);
  assert.deepEqual(problems({}), ['transport websocket needs bot_id', 'transport websocket needs secret']);
  assert.deepEqual(problems({ token: 't' }), ['transport callback needs encoding_aes_key']);
  assert.equal(problems({ transport: 'app' }).length, 5);
  assert.match(problems({ token: 't', encoding_aes_key: 'short' }).join(), /43 letters/);
});

test('only the long connection must be unique, and is what its sends go through', () => {
  for (const transport of ['websocket', 'callback', 'app'] as const) {
    const settings = wecomConfig.parse({
      transport,
      bot_id: 'b',
      secret: 's',
      corp_id: 'c',
      agent_id: 1,
      corp_secret: 's',
      token: 't',
      encoding_aes_key: 'A'.repeat(43),
    });
    assert.equal(wecom.exclusive(settings), transport === 'websocket');
    assert.equal(wecom.sendsThroughConnection?.(settings), transport === 'websocket');
    assert.ok(!(wecom.account?.(settings).id ?? '').includes('secret'));
  }
});

test('what differs by transport is said as data', () => {
  assert.deepEqual(
    (['websocket', 'callback', 'app'] as const).map((transport) => {
      const { edit, stream, maxText, maxFileOutBytes, knowsRepeatsForMs } = wecomFor(transport).capabilities;
      return { edit, stream, maxText, sends: maxFileOutBytes > 0, repeats: knowsRepeatsForMs };
    }),
    [
      { edit: true, stream: 'edit', maxText: 20_480, sends: true, repeats: 0 },
      { edit: true, stream: 'edit', maxText: 20_480, sends: false, repeats: 0 },
      { edit: false, stream: 'none', maxText: 2_048, sends: true, repeats: 1_800_000 },
    ],
  );
});

test('sends to one chat stay below what WeCom drops without a word', () => {
  const limits = wecom.limits('wecom', { chat: 'ann', chatKind: 'dm' }, 'send');
  assert.deepEqual(
    limits.map(({ count, windowMs }) => [count, windowMs]),
    [
      [30, 60_000],
      [1_000, 3_600_000],
    ],
  );
  for (const { scope } of limits) assert.ok(scope.endsWith(':ann'));
  assert.deepEqual(wecom.limits('wecom', { chat: 'ann', chatKind: 'dm' }, 'edit'), []);
});

test('a refusal that nobody knows keeps WeCom’s words, without its hints', () => {
  const { message, code } = refusal(
    99_999,
    'something new, hint: [1700000000000000000000000], from ip: 1.2.3.4, more info at https://x',
  );
  assert.deepEqual([code, message], ['bad_input', 'WeCom refused it (99999: something new).']);
});

test('what the SDK throws is told apart: refused, not sent, or who knows', () => {
  const of = (thrown: unknown, idempotent = false) => socketError(thrown, { idempotent }).code;
  assert.equal(of({ errcode: 846608, errmsg: 'expired', headers: {} }), 'target_gone');
  assert.equal(of(new Error('WebSocket not connected, unable to send data')), 'unavailable');
  assert.equal(of(new Error('Reply ack timeout (5000ms) for reqId: r')), 'uncertain');
  assert.equal(of(new Error('Reply ack timeout (5000ms) for reqId: r'), true), 'timeout');
  assert.equal(of(new Error('Connection manually closed, reply for reqId: r cancelled')), 'uncertain');
  assert.equal(of('anything'), 'uncertain');
});
