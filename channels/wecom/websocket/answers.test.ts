import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetOf } from '../../../src/channel/target.ts';
import { field } from '../../../src/simulator/kit/field.ts';
import { startRig } from '../testing/rig.ts';
import { bodies, opened, settable } from '../testing/steps.ts';

test('an answer that begins growing ends in its place, and what follows is a message of its own', async (t) => {
  const rig = await startRig(t, 'websocket');
  const target = await opened(rig);
  const { id } = await rig.adapter.send(target, { markdown: 'one' }, { key: 's:0', draft: true });
  await rig.adapter.edit?.(target, id, { markdown: 'one two' }, { key: 's:0' });
  await rig.adapter.send(target, { markdown: 'and more' }, { key: 'd2' });
  assert.deepEqual(rig.said(rig.direct), ['one two', 'and more']);
  assert.equal(bodies(rig, 'aibot_send_msg').length, 1);
  const ids = bodies(rig, 'aibot_respond_msg').map((body) => field(body, 'stream', 'id'));
  assert.equal(new Set(ids).size, 1);
});

test('that the bot thinks is seen at once, and its answer comes in that place', async (t) => {
  const rig = await startRig(t, 'websocket');
  let seen = 0;
  rig.wecom.events.subscribe(({ type }) => {
    if (type === 'typing') seen += 1;
  });
  const target = await opened(rig);
  await rig.adapter.typing?.(target);
  await rig.adapter.typing?.(target);
  assert.equal(seen, 1);
  rig.wecom.people.say(rig.ann, rig.direct, 'and another thing');
  const both = { ...target, answers: [...(target.answers ?? []), (await rig.inbox.next()).id] };
  await rig.adapter.send(both, { markdown: 'one answer to both' }, { key: 'd' });
  const ids = bodies(rig, 'aibot_respond_msg').map((body) => field(body, 'stream', 'id'));
  assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);
  assert.deepEqual(rig.said(rig.direct), ['one answer to both']);
  await rig.adapter.typing?.(rig.target); // it answers nothing, so there is no place for it
  assert.equal(seen, 1);
});

test('a bot that thinks for longer than six minutes says that its answer comes below', async (t) => {
  const clock = settable();
  const rig = await startRig(t, 'websocket', { clock, now: () => clock.now() });
  const target = await opened(rig);
  await rig.adapter.typing?.(target);
  clock.ahead = 340_000;
  await rig.adapter.typing?.(target);
  await rig.adapter.typing?.(target);
  await assert.rejects(rig.adapter.send(target, { markdown: 'at' }, { key: 's:0', draft: true }), {
    code: 'unsupported',
  });
  await rig.adapter.send(target, { markdown: 'at last' }, { key: 'd' });
  const [notice, ...rest] = rig.said(rig.direct);
  assert.match(notice ?? '', /follows below/);
  assert.deepEqual(rest, ['at last']);
});

test('a message that answers nothing is pushed, and cannot be changed', async (t) => {
  const rig = await startRig(t, 'websocket');
  const { id } = await rig.adapter.send(rig.target, { markdown: 'good **morning**' }, { key: 'p' });
  assert.deepEqual(rig.said(rig.direct), ['good **morning**']);
  await assert.rejects(async () => rig.adapter.edit?.(rig.target, id, { markdown: 'x' }, { key: 'p' }), {
    code: 'target_gone',
  });
  await assert.rejects(rig.adapter.send(rig.target, { markdown: 'grows' }, { key: 'q', draft: true }), {
    code: 'unsupported',
  });
});

test('an answer that has grown for six minutes (846608) arrives whole, below a line that says so', async (t) => {
  const clock = settable();
  const rig = await startRig(t, 'websocket', { clock, now: () => clock.now() });
  const target = await opened(rig);
  const { id } = await rig.adapter.send(target, { markdown: 'a long' }, { key: 's:0', draft: true });
  clock.ahead = 340_000;
  await rig.adapter.edit?.(target, id, { markdown: 'a long story' }, { key: 's:0', draft: true });
  assert.match(rig.said(rig.direct)[0] ?? '', /follows below/);
  clock.ahead = 400_000;
  await rig.adapter.edit?.(target, id, { markdown: 'a long story goes' }, { key: 's:0', draft: true });
  const end = { markdown: 'a long story goes on' };
  await assert.rejects(async () => rig.adapter.edit?.(target, id, end, { key: 's:0' }), { code: 'target_gone' });
  await rig.adapter.send(target, end, { key: 'd1' });
  assert.deepEqual(rig.said(rig.direct).slice(1), ['a long story goes on']);
});

test('an answer that WeCom says is too old is sent anew by delivery, whoever began it', async (t) => {
  const clock = settable();
  const rig = await startRig(t, 'websocket', { clock, now: () => clock.now() });
  const target = await opened(rig);
  const { id } = await rig.adapter.send(target, { markdown: 'half' }, { key: 's:0', draft: true });
  clock.ahead = 361_000;
  await assert.rejects(async () => rig.adapter.edit?.(target, id, { markdown: 'whole' }, { key: 's:0' }), {
    code: 'target_gone',
  });
});

test('a req_id that takes no answer (846605) costs nothing: the answer is pushed', async (t) => {
  const rig = await startRig(t, 'websocket');
  const target = await opened(rig);
  rig.wecom.faults.plan('aibot_respond_msg', { kind: 'refuse', errcode: 846605, errmsg: 'invalid req_id' });
  await rig.adapter.send(target, { markdown: 'hello' }, { key: 'd' });
  assert.deepEqual(rig.said(rig.direct), ['hello']);
});

test('an end whose confirmation was lost is confirmed by a second attempt, and seen once', async (t) => {
  const rig = await startRig(t, 'websocket');
  const target = await opened(rig);
  const { id } = await rig.adapter.send(target, { markdown: 'a' }, { key: 's:0', draft: true });
  rig.wecom.faults.plan('aibot_respond_msg', { kind: 'drop', processed: true });
  const end = { markdown: 'a b' };
  await assert.rejects(async () => rig.adapter.edit?.(target, id, end, { key: 's:0' }), {
    code: 'timeout',
    retryable: true,
  });
  await rig.adapter.edit?.(target, id, end, { key: 's:0' });
  assert.deepEqual(rig.said(rig.direct), ['a b']);
});

test('an answer whose process died while it grew ends in its place, though whoever ends it knows of no place', async (t) => {
  const memory = new Map<string, string>();
  const rig = await startRig(t, 'websocket', { memory });
  const target = await opened(rig);
  rig.wecom.faults.plan('aibot_respond_msg', { kind: 'drop', processed: true });
  await assert.rejects(rig.adapter.send(target, { markdown: 'half an' }, { key: 's:0', draft: true }), {
    code: 'timeout',
  });
  await rig.adapter.send(target, { markdown: 'half an answer' }, { key: 'd1' });
  await rig.adapter.send(target, { markdown: 'and more' }, { key: 'd2' });
  assert.deepEqual(rig.said(rig.direct), ['half an answer', 'and more']);
});

test('an end that never got out is not taken for one that did', async (t) => {
  const rig = await startRig(t, 'websocket');
  const target = await opened(rig);
  const { id } = await rig.adapter.send(target, { markdown: 'a' }, { key: 's:0', draft: true });
  rig.wecom.faults.plan('aibot_respond_msg', { kind: 'refuse', errcode: 45009 });
  const end = { markdown: 'a b' };
  await assert.rejects(async () => rig.adapter.edit?.(target, id, end, { key: 's:0' }), { code: 'rate_limited' });
  rig.wecom.faults.plan('aibot_respond_msg', { kind: 'refuse', errcode: 846608 });
  await assert.rejects(async () => rig.adapter.edit?.(target, id, end, { key: 's:0' }), { code: 'target_gone' });
});

test('a push whose confirmation was lost is uncertain, so that it is not said twice', async (t) => {
  const rig = await startRig(t, 'websocket');
  await rig.adapter.probe();
  rig.wecom.faults.plan('aibot_send_msg', { kind: 'drop', processed: true });
  await assert.rejects(rig.adapter.send(rig.target, { markdown: 'hi' }, { key: 'k' }), { code: 'uncertain' });
  assert.deepEqual(rig.said(rig.direct), ['hi']);
});

test('a greeting goes out as the welcome while there is time, and later by itself', async (t) => {
  const clock = settable();
  const rig = await startRig(t, 'websocket', { clock, now: () => clock.now() });
  rig.wecom.people.enter(rig.ann, rig.direct);
  const target = targetOf(await rig.inbox.next());
  await rig.adapter.send(target, { markdown: '**Hello!**' }, { key: 'w1' });
  assert.equal(bodies(rig, 'aibot_respond_welcome_msg').length, 1);
  const bo = rig.wecom.openDirectChat(rig.bo, rig.one);
  rig.wecom.people.enter(rig.bo, bo);
  const later = targetOf(await rig.inbox.next());
  clock.ahead = 6_000;
  await rig.adapter.send(later, { markdown: '**Hello!**' }, { key: 'w2' });
  assert.deepEqual([rig.said(rig.direct), rig.said(bo)], [['Hello!'], ['**Hello!**']]);
});

test('what people think of an answer refers to it', async (t) => {
  const rig = await startRig(t, 'websocket');
  const target = await opened(rig);
  await rig.adapter.send(target, { markdown: 'an answer' }, { key: 'd' });
  const message = await rig.wecom.waitFor(rig.direct, ({ fromBot }) => fromBot);
  rig.wecom.people.feedback(rig.ann, message, 1);
  const reaction = await rig.inbox.next();
  assert.deepEqual([reaction.kind, reaction.text, reaction.quote?.messageId], ['reaction', '👍', message.stream?.id]);
});
