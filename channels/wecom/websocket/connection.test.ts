import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AntlerError } from '../../../src/base/errors.ts';
import { startRig } from '../testing/rig.ts';
import { opened, settable } from '../testing/steps.ts';

test('a bot that another program has taken over says so, and comes back only after a while', async (t) => {
  const clock = settable();
  const rig = await startRig(t, 'websocket', { clock });
  assert.ok(rig.one.kind === 'bot');
  rig.wecom.sockets.kick(rig.one);
  await rig.wecom.calls.waitFor('aibot_subscribe', 2);
  const failing = rig.statuses.find(({ state }) => state === 'failing');
  assert.ok(failing?.state === 'failing');
  assert.match(failing.problem, /Another program has connected/);
  assert.equal(clock.slept.at(-1), 60_000);
  await opened(rig, 'still there?');
  rig.wecom.sockets.kick(rig.one);
  await rig.wecom.calls.waitFor('aibot_subscribe', 3);
  assert.equal(clock.slept.at(-1), 120_000);
});

test('a cut connection is made anew, and what was said meanwhile arrives', async (t) => {
  const rig = await startRig(t, 'websocket');
  assert.ok(rig.one.kind === 'bot');
  rig.wecom.sockets.cut(rig.one);
  rig.wecom.people.say(rig.ann, rig.direct, 'in between');
  assert.equal((await rig.inbox.next()).text, 'in between');
  assert.deepEqual(
    rig.statuses.map(({ state }) => state),
    ['connecting', 'connected', 'failing', 'connected'],
  );
});

test('a server that has fallen silent is noticed by its missing heartbeat', async (t) => {
  const rig = await startRig(t, 'websocket', { heartbeatMs: 30 });
  rig.wecom.faults.plan('ping', { kind: 'silent', processed: false }, Number.POSITIVE_INFINITY);
  await rig.wecom.calls.waitFor('aibot_subscribe', 2);
});

test('a wrong secret rejects the start with a sentence, and is not tried in a hurry', async (t) => {
  const clock = settable();
  const rig = await startRig(t, 'websocket', { starts: false, clock, config: { secret: 'wrong' } });
  await assert.rejects(rig.adapter.start(), (error: AntlerError) => {
    assert.equal(error.code, 'unauthorized');
    assert.match(error.message, /bot_id and secret \(853000\)/);
    assert.doesNotMatch(JSON.stringify(error), /wrong/);
    return true;
  });
  assert.equal(rig.wecom.calls.list('aibot_subscribe').length, 1);
});

test('what only looks, as the doctor does, knows that the secret was refused, until another is tried', async (t) => {
  const memory = new Map<string, string>();
  const wrong = await startRig(t, 'websocket', { starts: false, memory, config: { secret: 'wrong' } });
  assert.equal((await wrong.adapter.probe()).ok, true, 'nobody has tried it yet');
  await assert.rejects(wrong.adapter.start());
  const health = await wrong.adapter.probe();
  assert.ok(!health.ok && /bot_id and secret/.test(health.problem ?? ''), JSON.stringify(health));
  assert.doesNotMatch(JSON.stringify([...memory]), /wrong/);
  const right = await startRig(t, 'websocket', { memory });
  await right.adapter.stop();
  assert.equal((await right.adapter.probe()).ok, true);
});

test('a send that comes while there is no connection waits for it', async (t) => {
  const rig = await startRig(t, 'websocket');
  assert.ok(rig.one.kind === 'bot');
  rig.wecom.sockets.cut(rig.one);
  while (rig.statuses.at(-1)?.state === 'connected') await sleep(1);
  await rig.adapter.send(rig.target, { markdown: 'after all' }, { key: 'k' });
  assert.deepEqual(rig.said(rig.direct), ['after all']);
});

test('a process that has never been connected cannot send, and says at once that it may be tried again', async (t) => {
  const rig = await startRig(t, 'websocket', { starts: false });
  const began = performance.now();
  await assert.rejects(rig.adapter.send(rig.target, { markdown: 'x' }, { key: 'k' }), {
    code: 'unavailable',
    retryable: true,
  });
  assert.ok(performance.now() - began < 1_000);
});

test('a probe does not take the bot away from the process that is connected', async (t) => {
  const rig = await startRig(t, 'websocket');
  const other = await startRig(t, 'websocket', { starts: false, config: { ws_url: rig.wecom.wsUrl } });
  assert.deepEqual((await other.adapter.probe()).ok, true);
  assert.ok(rig.one.kind === 'bot');
  assert.ok(rig.wecom.sockets.isConnected(rig.one));
  assert.equal(rig.wecom.calls.list('aibot_subscribe').length, 1);
});

test('nonsense on the connection ends nothing', async (t) => {
  const rig = await startRig(t, 'websocket');
  assert.ok(rig.one.kind === 'bot');
  const frames = [
    'no JSON',
    '{}',
    'null',
    '[]',
    '{"cmd":"aibot_msg_callback"}',
    '{"cmd":"aibot_msg_callback","headers":{"req_id":"r"},"body":{"msgtype":"text"}}',
  ];
  for (const frame of frames) rig.wecom.sockets.sendRaw(rig.one, frame);
  await opened(rig);
  assert.equal(rig.wecom.calls.list('aibot_subscribe').length, 1);
});

test('control characters in a message do not cost it', async (t) => {
  const rig = await startRig(t, 'websocket');
  rig.wecom.people.say(rig.ann, rig.direct, 'bell \u0007 and tab \t');
  assert.match((await rig.inbox.next()).text, /^bell .* and tab/s);
});

test('raw control characters in a frame, which JSON forbids, do not cost the message', async (t) => {
  const rig = await startRig(t, 'websocket');
  assert.ok(rig.one.kind === 'bot');
  const body = { msgid: 'm1', chattype: 'single', from: { userid: 'ann' }, msgtype: 'text', text: { content: 'a#b' } };
  const frame = JSON.stringify({ cmd: 'aibot_msg_callback', headers: { req_id: 'r1' }, body });
  rig.wecom.sockets.sendRaw(rig.one, frame.replace('#', '\u000b'));
  assert.match((await rig.inbox.next()).text, /^a.?b$/s);
});

test('a secret that is changed while the bot is connected is told of at the next connection, and tried without hurry', async (t) => {
  const clock = settable();
  const rig = await startRig(t, 'websocket', { clock });
  assert.ok(rig.one.kind === 'bot');
  rig.wecom.faults.plan('aibot_subscribe', { kind: 'refuse', errcode: 853000, errmsg: 'invalid bot_id or secret' });
  rig.wecom.sockets.cut(rig.one);
  await rig.wecom.calls.waitFor('aibot_subscribe', 3);
  const problems = rig.statuses.flatMap((status) => (status.state === 'failing' ? [status.problem] : []));
  assert.match(problems.at(-1) ?? '', /bot_id and secret \(853000\)/);
  assert.equal(clock.slept.at(-1), 60_000);
});

test('messages of one chat keep their order while intake refuses the first', async (t) => {
  const rig = await startRig(t, 'websocket');
  let refusals = 0;
  rig.inbox.refuse = () => refusals++ < 3 && new AntlerError('unavailable', 'no database', { retryable: true });
  for (const text of ['1', '2', '3']) rig.wecom.people.say(rig.ann, rig.direct, text);
  const heard = [await rig.inbox.next(), await rig.inbox.next(), await rig.inbox.next()];
  assert.deepEqual(
    heard.map(({ text }) => text),
    ['1', '2', '3'],
  );
});

test('a message that intake refuses for good does not hold up the others for ever', async (t) => {
  const rig = await startRig(t, 'websocket');
  rig.inbox.refuse = ({ text }) => text === 'poison' && new AntlerError('internal', 'a fault');
  rig.wecom.people.say(rig.ann, rig.direct, 'poison');
  const other = rig.wecom.openDirectChat(rig.bo, rig.one);
  rig.wecom.people.say(rig.bo, other, 'fine');
  assert.equal((await rig.inbox.next()).text, 'fine');
  rig.wecom.people.say(rig.ann, rig.direct, 'behind it');
  assert.equal((await rig.inbox.next()).text, 'behind it');
});

test('stop() ends the wait for an intake that is down', async (t) => {
  const rig = await startRig(t, 'websocket');
  rig.inbox.refuse = () => new AntlerError('unavailable', 'no database', { retryable: true });
  rig.wecom.people.say(rig.ann, rig.direct, 'hello');
  await sleep(30);
  const began = performance.now();
  await rig.adapter.stop();
  assert.ok(performance.now() - began < 1_000);
});

test('nothing that anybody said, and no secret, is in the log', async (t) => {
  const rig = await startRig(t, 'websocket');
  assert.ok(rig.one.kind === 'bot');
  const target = await opened(rig, 'a private word');
  await rig.adapter.send(target, { markdown: 'a private answer' }, { key: 'd' });
  rig.wecom.sockets.cut(rig.one);
  await opened(rig, 'another private word');
  const log = JSON.stringify(rig.logged);
  assert.doesNotMatch(log, /private/);
  assert.ok(!log.includes(rig.one.secret));
});
