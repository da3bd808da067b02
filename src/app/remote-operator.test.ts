import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Hono } from 'hono';
import { createHttpApp } from '../admin/app.ts';
import { createBusOperator } from '../admin/bus-operator.ts';
import { ownerGuard } from '../admin/guard.ts';
import { operations } from '../admin/operations.ts';
import type { Connection } from '../admin/operator.ts';
import { ownerToken } from '../admin/owner-token.ts';
import { serveHttp } from '../admin/serve.ts';
import { busForTests, failForTests, loseDeliveries, loseTurn } from '../admin/testing/bus.ts';
import { settingsForTests } from '../admin/testing/settings.ts';
import { silentLogger } from '../base/logger.ts';
import { freePort } from '../testing/services.ts';
import { addressOf, answersAt, ownerApi } from './owner-api.ts';
import { createRemoteOperator } from './remote-operator.ts';

const TOKEN = 'the-owner-of-it-all';

/** A bus behind the real server, which asks for the owner's token. */
async function serveForTests(t: TestContext) {
  const [bus, settings] = [await busForTests(t), await settingsForTests(t)];
  const channels = new Map<string, Connection>([
    ['telegram', { state: 'connected' }],
    ['web', { state: 'failing', problem: 'broken' }],
  ]);
  const direct = createBusOperator({ bus, channels: () => channels, scrub: (text) => text, log: silentLogger });
  const publicUrl = 'https://bot.example.com';
  const app = createHttpApp({
    guard: ownerGuard({ host: '127.0.0.1', publicUrl, token: await ownerToken(settings, TOKEN), settings }),
    setup: new Hono(),
    operations: operations({ operator: direct, log: silentLogger }),
    pages: [],
    webhooks: async () => null,
    health: () => ({ name: 'antler' }),
    ready: async () => ({ ready: true, reasons: [] }),
    log: silentLogger,
  });
  const server = await serveHttp(app, { host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  return { bus, direct, url: server.url };
}

test('a running Antler says and does the same as the bus itself', async (t) => {
  const { bus, direct, url } = await serveForTests(t);
  const worked = await failForTests(bus);
  await loseTurn(bus, 'Ann', 'Hi');
  await loseDeliveries(bus, ['one', 'two?', 'three']);
  const remote = createRemoteOperator(ownerApi(url, TOKEN));
  await remote.pause('web');
  assert.deepEqual(await bus.paused(), ['web']);
  assert.deepEqual(await remote.overview(), await direct.overview());
  const list = await remote.deadLetters(3);
  assert.deepEqual([list.total, list], [4, await direct.deadLetters(3)]);
  await remote.resume('web');
  assert.deepEqual(await bus.paused(), []);
  worked.mend();
  const [three, two] = list.letters.map(({ id }) => id);
  await remote.drop(three ?? '');
  await remote.replay(two ?? '');
  await assert.rejects(remote.replay('a/b?c'), { code: 'not_found', message: /"a\/b\?c"/ });
  await assert.rejects(remote.pause('tellegram'), { code: 'not_found', message: /did you mean "telegram"\?$/ });
  assert.deepEqual(await remote.dropAll(), { done: 2, left: 0 });
  assert.deepEqual(await remote.replayAll(), { done: 0, left: 0 });
});

test('without the right token nothing is told', async (t) => {
  const { url } = await serveForTests(t);
  for (const token of [undefined, 'another']) {
    const remote = createRemoteOperator(ownerApi(url, token));
    await assert.rejects(remote.overview(), { code: 'unauthorized', message: /ANTLER_OWNER_TOKEN/ });
    await assert.rejects(remote.pause('web'), { code: 'unauthorized' });
  }
});

test('a server that is gone is told with its address', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  assert.equal(await answersAt(url), false);
  const remote = createRemoteOperator(ownerApi(url, undefined));
  await assert.rejects(remote.overview(), { code: 'unavailable', message: `The Antler at ${url} does not answer.` });
});

test('an Antler that listens everywhere is asked on this machine', () => {
  const table = { '127.0.0.1': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '[::1]', '10.0.0.7': '10.0.0.7' };
  for (const [host, reachable] of Object.entries(table))
    assert.equal(addressOf({ server: { host, port: 80 } }), `http://${reachable}:80`);
});
