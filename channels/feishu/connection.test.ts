import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { AntlerError } from '../../src/base/errors.ts';
import { encodeFrame } from '../../src/simulator/feishu/frame.ts';
import { type RigOptions, startRig } from './testing/rig.ts';

const rigs: Awaited<ReturnType<typeof startRig>>[] = [];
async function rig(options: RigOptions = {}) {
  const made = await startRig(options);
  rigs.push(made);
  return made;
}
afterEach(async () => {
  for (const made of rigs.splice(0)) await made.stop();
});

/** Failed events come again at once. */
const soon = { limits: { retryMs: [20, 20, 20, 20], ackMs: 300 } };

test('a wrong secret is refused at start; the secret is in no error and no log line', async () => {
  const secret = 'not-the-right-secret';
  const { adapter, logged } = await rig({ config: { app_secret: secret } });
  const refused = await adapter.start().then(
    () => assert.fail('started'),
    (error: unknown) => error,
  );
  assert.ok(refused instanceof AntlerError);
  assert.equal(refused.code, 'unauthorized');
  const health = await adapter.probe();
  assert.match(health.problem ?? '', /App Secret/);
  assert.ok(!JSON.stringify([logged, health, refused.message, refused.stack, refused.cause]).includes(secret));
});

test('who the bot is', async () => {
  const { adapter } = await rig();
  assert.deepEqual(await adapter.probe(), { ok: true, identity: '@Antler' });
});

test('the connection comes back whatever the platform does to it, and says what is wrong', async () => {
  const ENDPOINT = 'POST /callback/ws/endpoint';
  const { feishu, adapter, inbox, statuses, ann, direct, connected } = await rig({ feishu: soon });
  feishu.faults.plan(ENDPOINT, { kind: 'refuse', code: 1, status: 200 });
  feishu.faults.plan(ENDPOINT, { kind: 'refuse', code: 1000040350, status: 200 });
  feishu.faults.plan(ENDPOINT, { kind: 'refuse', code: 514, status: 200 });
  feishu.faults.plan(ENDPOINT, { kind: 'raw', status: 500, body: 'x' });
  feishu.faults.plan(ENDPOINT, { kind: 'raw', status: 200, body: '{"code":0,"data":{}}' });
  feishu.faults.plan(ENDPOINT, {
    kind: 'raw',
    status: 200,
    body: `{"code":0,"data":{"URL":"${feishu.url.replace('http', 'ws')}/ws/v2?ticket=none","ClientConfig":{"PingInterval":1,"ReconnectNonce":30}}}`,
  });
  await adapter.start();
  await connected();
  feishu.people.say(ann, direct, 'one');
  assert.equal((await inbox.next()).text, 'one');
  feishu.connections.dropAll();
  feishu.people.say(ann, direct, 'two');
  assert.equal((await inbox.next()).text, 'two');
  const problems = statuses.flatMap((status) => ('problem' in status ? [status.problem] : []));
  assert.equal(problems.length, 7);
  for (const [index, words] of [/busy/, /too many/, /App Secret/, /500/, /busy/, /handshake/, /lost/].entries()) {
    assert.match(problems[index] ?? '', words);
  }
  assert.equal(statuses.at(-1)?.state, 'connected');
});

test('a connection that no longer answers pings is replaced', { timeout: 30_000 }, async () => {
  const { feishu, adapter, inbox, ann, direct, connected } = await rig({ feishu: soon });
  feishu.mischief.deaf = true;
  await adapter.start();
  await connected();
  await feishu.calls.waitFor('POST /callback/ws/endpoint', 2, 20_000);
  feishu.mischief.deaf = false;
  feishu.people.say(ann, direct, 'there?');
  assert.equal((await inbox.next()).text, 'there?');
});

test('events in fragments, in any order, with one lost, and garbage between them', async () => {
  const { feishu, adapter, inbox, app, ann, direct, connected } = await rig({
    feishu: { limits: { ...soon.limits, frameBytes: 100 } },
  });
  await adapter.start();
  await connected();
  feishu.mischief.reverseFragments = true;
  feishu.people.say(ann, direct, '你好'.repeat(200));
  assert.equal((await inbox.next()).text, '你好'.repeat(200));
  feishu.connections.sendGarbage(app, Buffer.from('garbage'));
  const frame = { seqId: 1n, logId: 1n, service: 1, method: 1, payload: Buffer.from('{}') };
  for (const headers of [{ type: 'card', message_id: 'c', sum: '1', seq: '0' }, { type: 'event' }, {}])
    feishu.connections.sendGarbage(app, encodeFrame({ ...frame, headers }));
  feishu.mischief.loseFragment = true;
  feishu.people.say(ann, direct, 'lost and found');
  assert.equal((await inbox.next()).text, 'lost and found');
});

test('what intake cannot store is delivered again, and the other chats go on meanwhile', async () => {
  const { feishu, adapter, inbox, app, ann, bob, direct } = await rig({ feishu: soon });
  const other = feishu.openDirectChat(bob, app);
  inbox.refuse = (message) => message.text === 'first' && new AntlerError('unavailable', 'down', { retryable: true });
  await adapter.start();
  feishu.people.say(ann, direct, 'first');
  feishu.people.say(bob, other, 'from bob');
  assert.equal((await inbox.next()).text, 'from bob');
  inbox.refuse = () => false;
  assert.equal((await inbox.next()).text, 'first');
});

test('a burst of fifty keeps the order of each chat', async () => {
  const { feishu, adapter, inbox, ann, bob, direct, group } = await rig({ feishu: { limits: { retryMs: [] } } });
  for (let i = 0; i < 25; i++) {
    feishu.people.say(ann, direct, `d${i}`);
    feishu.people.say(bob, group, `g${i}`);
  }
  await adapter.start();
  const texts: string[] = [];
  for (let i = 0; i < 50; i++) texts.push((await inbox.next()).text);
  for (const chat of ['d', 'g']) {
    assert.deepEqual(
      texts.filter((text) => text.startsWith(chat)),
      Array.from({ length: 25 }, (_, i) => `${chat}${i}`),
    );
  }
});

test('Feishu being away at start does not stop the channel', async () => {
  const { feishu, adapter, inbox, ann, direct } = await rig();
  feishu.faults.plan('GET /bot/v3/info', { kind: 'raw', status: 503, body: 'no' }, 2);
  await adapter.start();
  feishu.people.say(ann, direct, 'hello');
  assert.equal((await inbox.next()).text, 'hello');
});

test('stop ends the connection at once, and the adapter can start again', async () => {
  const { feishu, adapter, inbox, app, ann, direct, target, connected } = await rig();
  await adapter.start();
  await connected();
  const before = performance.now();
  await adapter.stop();
  assert.ok(performance.now() - before < 1_000);
  while (feishu.connections.count(app) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await adapter.send(target, { markdown: 'still possible' }, { key: '1' });
  feishu.people.say(ann, direct, 'while you were out');
  await adapter.start();
  assert.equal((await inbox.next()).text, 'while you were out');
});

test('stop leaves no timer and no socket, however far the connection has come', async () => {
  const { feishu, adapter, connected } = await rig();
  const live = (): string[] =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout' || kind.startsWith('TCPSocket'));
  await adapter.start();
  await adapter.stop();
  await adapter.start();
  await connected();
  feishu.connections.dropAll();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await adapter.stop();
  feishu.dropConnections();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const left = live();
  assert.deepEqual(
    left.filter((kind) => kind.startsWith('TCP')),
    [],
  );
  assert.ok(left.length <= 1, `left behind: ${left.join(', ')}`); // the test runner's own
});
