import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../src/base/clock.ts';
import { AntlerError } from '../../../src/base/errors.ts';
import { targetOf } from '../../../src/channel/target.ts';
import { shortSleep } from '../../../src/channel/testing/desk.ts';
import { field } from '../../../src/simulator/wecom/world.ts';
import { startRig } from '../testing/rig.ts';

type Rig = Awaited<ReturnType<typeof startRig>>;

/** A message of Ann's, as a target for answers. */
async function opened(rig: Rig, text = 'open') {
  rig.wecom.people.say(rig.ann, rig.direct, text);
  return targetOf(await rig.inbox.next());
}

/** A clock that the test sets; waits are over in a moment. */
function settable(): Clock & { ahead: number; readonly slept: number[] } {
  const slept: number[] = [];
  const clock = {
    ahead: 0,
    slept,
    now: () => Date.now() + clock.ahead,
    sleep: (ms: number, signal?: AbortSignal) => {
      slept.push(ms);
      return shortSleep(ms, signal);
    },
  };
  return clock;
}

const bodies = (rig: Rig, cmd: string) => rig.wecom.calls.list(cmd).map(({ body }) => body);

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

test('a pressed button is shown as pressed, and cannot be pressed again', async (t) => {
  const rig = await startRig(t, 'websocket');
  const buttons = [
    { label: 'Yes', value: 'yes' },
    { label: 'No', value: 'no' },
  ];
  await rig.adapter.send(rig.target, { markdown: 'Shall I?', buttons }, { key: 'b' });
  const message = await rig.wecom.waitFor(rig.direct, ({ card }) => card !== undefined);
  rig.wecom.people.press(rig.ann, message, 'Yes');
  assert.equal((await rig.inbox.next()).text, 'yes');
  await rig.wecom.waitFor(rig.direct, ({ card }) => card?.replaced === '✔ Yes');
});

test('buttons below a long text are on a card of their own, or numbered where there are too many', async (t) => {
  const rig = await startRig(t, 'websocket');
  const buttons = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ label: `Choice ${n}`, value: String(n) }));
  const markdown = 'words '.repeat(60).trim();
  await rig.adapter.send(rig.target, { markdown, buttons: buttons(2) }, { key: 'b1' });
  const shown = rig.wecom.visible(rig.direct);
  assert.deepEqual([shown[0]?.text, shown[1]?.card?.buttons.length], [markdown, 2]);
  await rig.adapter.send(rig.target, { markdown: 'Which?', buttons: buttons(7) }, { key: 'b2' });
  assert.match(rig.said(rig.direct).at(-1) ?? '', /^Which\?\n\n1\. Choice 0\n[\s\S]*7\. Choice 6$/);
});

test('a card that is refused leaves its words, and its buttons as numbers', async (t) => {
  const rig = await startRig(t, 'websocket');
  const markdown = 'words '.repeat(60).trim();
  const buttons = [{ label: '', value: 'no label is nothing that a card may have' }];
  await rig.adapter.send(rig.target, { markdown, buttons }, { key: 'b' });
  assert.deepEqual(rig.said(rig.direct), [markdown, '1. ']);
});

test('an old button says that it is one', async (t) => {
  const rig = await startRig(t, 'websocket');
  const about = { event_key: `~${'x'.repeat(32)}`, task_id: 'old' };
  rig.wecom.people.tell(rig.direct, rig.ann, {
    msgtype: 'event',
    event: { eventtype: 'template_card_event', template_card_event: about },
  });
  await rig.wecom.waitFor(rig.direct, ({ fromBot, text }) => fromBot && /失效|does not work/.test(text));
  assert.equal(rig.inbox.waiting, 0);
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

test('a file of many chunks arrives whole, and one that is too large or too small is refused before it goes', async (t) => {
  const rig = await startRig(t, 'websocket');
  const content = Buffer.alloc(1_200 * 1_024, 7);
  const file = {
    id: 'f' as never,
    kind: 'file',
    name: 'a.bin',
    mime: 'application/octet-stream',
    bytes: content.length,
    content,
  } as const;
  await rig.adapter.sendFile?.(rig.target, file, '', { key: 'f' });
  const shown = await rig.wecom.waitFor(rig.direct, (message) => message.file !== undefined);
  assert.ok(Buffer.from(shown.file?.content ?? []).equals(content));
  assert.equal(bodies(rig, 'aibot_upload_media_chunk').length, 3);
  const large = { ...file, bytes: 21 * 1024 * 1024 };
  await assert.rejects(async () => rig.adapter.sendFile?.(rig.target, large, '', { key: 'g' }), { code: 'too_large' });
  const small = { ...file, bytes: 3, content: Buffer.from('abc') };
  await assert.rejects(async () => rig.adapter.sendFile?.(rig.target, small, '', { key: 'h' }), {
    code: 'unsupported',
  });
});

test('a file whose sending failed is tried again without its caption', async (t) => {
  const rig = await startRig(t, 'websocket');
  const content = Buffer.from('hello file');
  const file = {
    id: 'f' as never,
    kind: 'file',
    name: 'a.txt',
    mime: 'text/plain',
    bytes: content.length,
    content,
  } as const;
  await rig.adapter.send(rig.target, { markdown: 'first' }, { key: 'x' });
  const send = () => rig.adapter.sendFile?.(rig.target, file, 'See **this**', { key: 'f' });
  rig.wecom.faults.plan('aibot_upload_media_init', { kind: 'refuse', errcode: -1 });
  await assert.rejects(async () => send(), { code: 'unavailable' });
  await send();
  assert.deepEqual(rig.said(rig.direct), ['first', 'See **this**', '']);
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
