import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { shortSleep } from '../../../src/channel/testing/desk.ts';
import { wechat as manifest } from '../index.ts';
import { reported, startRig } from './testing/rig.ts';

/** A bot to which Ann has written. */
async function spokenTo(t: TestContext, options: Parameters<typeof startRig>[0] = {}) {
  const rig = await startRig(options);
  t.after(rig.stop);
  await rig.adapter.start();
  const self = await rig.bot();
  rig.wechat.people.say(rig.ann, self, 'hello');
  await rig.inbox.next();
  const chat = rig.wechat.chatOf(rig.ann, self);
  const said = (): string[] => chat.messages.filter(({ fromBot }) => fromBot).map(({ text }) => text);
  const send = (markdown: string, key = markdown) => rig.adapter.send(rig.target, { markdown }, { key });
  return { ...rig, self, chat, said, send };
}

/** A clock that a test sets forward; its waits are over in a moment. */
function handClock() {
  let now = Date.now();
  return {
    pass: (ms: number) => {
      now += ms;
    },
    clock: { now: () => now, sleep: shortSleep },
  };
}

test('a message is sent as the protocol wants it: one item, the client’s id, the newest context token', async (t) => {
  const { wechat, ann, self, inbox, send } = await spokenTo(t);
  wechat.people.say(ann, self, 'once more');
  await inbox.next();
  await send('answer', 'delivery:1');
  const [call] = wechat.calls.list('sendmessage');
  assert.ok(call !== undefined);
  const { msg } = call.body as { msg: Record<string, unknown> };
  assert.deepEqual(msg.item_list, [{ type: 1, text_item: { text: 'answer' } }]);
  assert.equal(msg.context_token, wechat.chatOf(ann, self).contextToken);
  assert.match(String(msg.client_id), /^antler-[0-9a-f]{32}$/);
  assert.deepEqual([msg.message_type, msg.message_state, msg.to_user_id], [2, 2, ann.id]);
  assert.equal(call.headers['content-length'], String(Buffer.byteLength(JSON.stringify(call.body))));
});

test('a send whose answer got lost is uncertain, and the second one under its key is not shown again', async (t) => {
  const { wechat, send, said } = await spokenTo(t);
  wechat.faults.plan('sendmessage', { kind: 'drop', processed: true });
  await assert.rejects(send('once'), { code: 'uncertain' });
  await send('once');
  assert.deepEqual(said(), ['once']);
});

test('HTTP 200 is no success: each refusal is an error that says what it means', async (t) => {
  const { wechat, send, said } = await spokenTo(t);
  const table = [
    [{ kind: 'refuse', ret: -1 }, 'unavailable'],
    [{ kind: 'refuse', ret: -3, errmsg: 'odd' }, 'bad_input'],
    [{ kind: 'refuse', ret: 0, errcode: 40_001 }, 'bad_input'],
    [{ kind: 'raw', status: 500, body: '' }, 'unavailable'],
    [{ kind: 'raw', status: 504, body: '' }, 'uncertain'],
    [{ kind: 'raw', status: 429, body: '' }, 'rate_limited'],
    [{ kind: 'raw', status: 200, body: '<html>' }, 'uncertain'],
    [{ kind: 'raw', status: 302, body: '' }, 'bad_input'],
  ] as const;
  for (const [fault, code] of table.filter(([, code]) => code !== 'rate_limited')) {
    wechat.faults.plan('sendmessage', fault);
    await assert.rejects(send('x', JSON.stringify(fault)), { code }, JSON.stringify(fault));
  }
  assert.deepEqual(said(), []);
});

test('success without an id is success', async (t) => {
  const { wechat, send } = await spokenTo(t);
  wechat.faults.plan('sendmessage', { kind: 'raw', status: 200, body: '{}' });
  assert.match((await send('x')).id, /^antler-/);
});

test('to whom has never written nothing can be sent, and the reason is told', async (t) => {
  const { wechat, adapter, bo } = await spokenTo(t);
  const target = { chat: bo.id, chatKind: 'dm' } as const;
  await assert.rejects(adapter.send(target, { markdown: 'hi' }, { key: 'k' }), {
    code: 'forbidden',
    retryable: false,
    message: /has not written to the bot/,
  });
  assert.equal(wechat.calls.list('sendmessage').length, 0);
});

test('someone who has written without a token is answered without one', async (t) => {
  const { wechat, inbox, adapter, bo, self } = await spokenTo(t);
  wechat.chatOf(bo, self).lastFromPersonAt = Date.now();
  wechat.people.inject(self, {
    ...{ message_id: 'uint64:9007199254741999', from_user_id: bo.id, message_type: 1, message_state: 2 },
    item_list: [{ type: 1, text_item: { text: 'hi' } }],
  });
  await inbox.next();
  await adapter.send({ chat: bo.id, chatKind: 'dm' }, { markdown: 'hello' }, { key: 'k' });
  assert.deepEqual(
    wechat.chatOf(bo, self).messages.map(({ text }) => text),
    ['hello'],
  );
});

test('a refused person is left in peace, until the wait is over or they have written again', async (t) => {
  const { clock, pass } = handClock();
  const { wechat, inbox, ann, self, send, said } = await spokenTo(t, { clock, limits: { repliesPerMessage: 1 } });
  const sends = (): number => wechat.calls.list('sendmessage').length;
  await send('first');
  await assert.rejects(send('second'), { code: 'rate_limited', retryAfterMs: 5_000 });
  assert.equal(sends(), 2);
  await assert.rejects(send('second'), { code: 'rate_limited' });
  pass(60_000);
  await assert.rejects(send('second'), { code: 'rate_limited', retryAfterMs: 15_000 });
  assert.equal(sends(), 2, 'WeChat was not asked again');
  pass(61_000);
  await assert.rejects(send('second'), { code: 'rate_limited' });
  assert.equal(sends(), 3, 'after two minutes it was');
  pass(300_000);
  await assert.rejects(send('second'), { code: 'rate_limited' });
  assert.equal(sends(), 3, 'now it waits longer');
  wechat.people.say(ann, self, 'are you there?');
  await inbox.next();
  await send('second');
  assert.deepEqual(said(), ['first', 'second']);
});

test('a login made at another replica counts for what this one still has to send', async (t) => {
  const { wechat, ann, self, send, said, memory } = await spokenTo(t);
  await send('before');
  wechat.logins.auto = undefined;
  const code = wechat.logins.issue([]);
  const { token } = wechat.logins.confirm(code, ann);
  const kept = JSON.parse(memory.get('secret/login') ?? '{}');
  memory.set('secret/login', JSON.stringify({ ...kept, token }));
  await send('after');
  assert.deepEqual(said(), ['before', 'after']);
  assert.equal(self.token, token);
});

test('what a person wrote to one account opens no way for another account that logs in later', async (t) => {
  const { wechat, self, bo, send, said, memory } = await spokenTo(t);
  await send('before');
  wechat.logins.auto = undefined;
  const { id, token } = wechat.logins.confirm(wechat.logins.issue([]), bo);
  const kept = JSON.parse(memory.get('secret/login') ?? '{}');
  memory.set('secret/login', JSON.stringify({ ...kept, token, bot: id }));
  wechat.endLogin(self);
  await assert.rejects(send('after'), { code: 'forbidden' });
  assert.deepEqual(said(), ['before']);
});

test('typing is shown with a ticket, which is asked for once', async (t) => {
  const { wechat, adapter, target, chat, send } = await spokenTo(t);
  const shown: unknown[] = [];
  wechat.subscribe((event) => event.type === 'typing' && shown.push(event.chat === chat && event.shown));
  await adapter.typing?.(target);
  await adapter.typing?.(target);
  assert.deepEqual(shown, [true, true]);
  assert.equal(wechat.calls.list('getconfig').length, 1);
  await send('there');
  await send('and no more of it');
  assert.deepEqual(shown, [true, true, false]);
  wechat.faults.plan('sendtyping', { kind: 'refuse', ret: -3, errmsg: 'ticket' });
  await assert.rejects(async () => adapter.typing?.(target), { name: 'AntlerError' });
  await adapter.typing?.(target);
  assert.equal(wechat.calls.list('getconfig').length, 2, 'a refused ticket is not used again');
  await adapter.typing?.({ chat: 'stranger@im.wechat', chatKind: 'dm' });
});

test('a text as long as allowed passes, and a longer one comes in parts that do', async (t) => {
  const { send, said } = await spokenTo(t);
  await send('谢'.repeat(5_461));
  const long = Array.from({ length: 900 }, (_, index) => `第${index}句话写在这里。`).join('');
  const parts = manifest.split({ markdown: long });
  assert.equal(parts.length, 2);
  for (const { markdown } of parts) await send(markdown);
  assert.equal(said().slice(1).join(''), long);
});

test('nothing to see becomes a dot that can be seen, and buttons become numbered lines', async (t) => {
  const { adapter, target, said } = await spokenTo(t);
  await adapter.send(target, { markdown: '  ' }, { key: '1' });
  const buttons = [
    { label: 'Yes', value: 'y' },
    { label: 'No', value: 'n' },
  ];
  await adapter.send(target, { markdown: 'Shall I?', buttons }, { key: '2' });
  assert.deepEqual(said(), ['…', 'Shall I?\n\n1. Yes\n2. No']);
});

test('neither errors nor logs hold the token, the keys or what was said', async (t) => {
  const { wechat, send, logged, statuses, self } = await spokenTo(t);
  wechat.faults.plan('sendmessage', { kind: 'raw', status: 200, body: 'secret words' });
  const error = await send('secret words').catch((thrown: unknown) => thrown);
  wechat.faults.plan('getupdates', { kind: 'raw', status: 500, body: 'secret words' });
  wechat.dropConnections();
  await reported(statuses, ({ state }) => state === 'failing');
  const all = JSON.stringify([logged, String(error), Object.values(error as object)]);
  assert.doesNotMatch(all, /secret words|CTX|ctx_/);
  assert.ok(!all.includes(self.token));
});
