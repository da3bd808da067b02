import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../../../src/base/errors.ts';
import { targetOf } from '../../../src/channel/target.ts';
import { field, textAt } from '../../../src/simulator/kit/field.ts';
import { keysOf } from '../../../src/simulator/wecom/callbacks.ts';
import { claim, decrypted, encrypted } from '../../../src/simulator/wecom/crypto.ts';
import { startRig } from '../testing/rig.ts';
import { opened, settable, until } from '../testing/steps.ts';
import { placeId } from './places.ts';

type Rig = Awaited<ReturnType<typeof startRig>>;

/** Posts a callback as WeCom does, and reads the answer. */
async function post(rig: Rig, body: object): Promise<unknown> {
  const keys = keysOf(rig.one);
  const message = encrypted(JSON.stringify(body), keys);
  const url = `${rig.webhook}?${new URLSearchParams(claim(message, keys, Date.now()))}`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ encrypt: message }) });
  const text = await response.text();
  return response.status === 200 && text !== ''
    ? JSON.parse(decrypted(textAt(JSON.parse(text), 'encrypt'), keys))
    : response.status;
}

const message = (id: string) => ({
  msgid: id,
  aibotid: 'a',
  chattype: 'single',
  from: { userid: 'ann' },
  msgtype: 'text',
  text: { content: 'hi' },
});
const poll = (id: string) => ({
  msgid: 'p',
  aibotid: 'a',
  chattype: 'single',
  from: { userid: 'ann' },
  msgtype: 'stream',
  stream: { id },
});

test('a message is answered by a place that fills, and each question gets all of it so far', async (t) => {
  const rig = await startRig(t, 'callback');
  const first = await post(rig, message('m1'));
  const id = placeId('ann', 'm1');
  assert.deepEqual(first, { msgtype: 'stream', stream: { id, finish: false, content: '' } });
  const target = targetOf(await rig.inbox.next());
  const sent = await rig.adapter.send(target, { markdown: 'one' }, { key: 's:0', draft: true });
  const stand = { msgtype: 'stream', stream: { id, finish: false, content: 'one' } };
  assert.deepEqual(await Promise.all([post(rig, poll(id)), post(rig, poll(id))]), [stand, stand]);
  const ending = rig.adapter.edit?.(target, sent.id, { markdown: 'one two' }, { key: 's:0' });
  let answer: unknown;
  while (field(answer, 'stream', 'finish') !== true) answer = await post(rig, poll(id));
  assert.equal(textAt(answer, 'stream', 'content'), 'one two');
  await ending;
  assert.deepEqual(await post(rig, poll(id)), answer);
});

test('the same message twice gets the same place, and is one', async (t) => {
  const rig = await startRig(t, 'callback');
  assert.deepEqual(await post(rig, message('m1')), await post(rig, message('m1')));
  const [one, two] = [await rig.inbox.next(), await rig.inbox.next()];
  assert.equal(one.id, two.id);
});

test('a message that comes again when its answer has been shown does not show it a second time', async (t) => {
  const rig = await startRig(t, 'callback');
  await post(rig, message('m1'));
  const target = targetOf(await rig.inbox.next());
  const sending = rig.adapter.send(target, { markdown: 'once' }, { key: 'd' });
  let again: unknown;
  while (field(again, 'stream', 'finish') !== true) again = await post(rig, message('m1'));
  await sending;
  assert.equal(textAt(again, 'stream', 'content'), 'once', 'it had not been fetched before');
  assert.equal(await post(rig, message('m1')), 200);
});

test('a message that intake could not store is not acknowledged', async (t) => {
  const rig = await startRig(t, 'callback');
  rig.inbox.refuse = () => new AntlerError('unavailable', 'no database', { retryable: true });
  assert.equal(await post(rig, message('m1')), 503);
});

test('a question about an answer that nobody knows ends it, and not with nothing', async (t) => {
  const rig = await startRig(t, 'callback');
  assert.deepEqual(await post(rig, poll('unknown')), {
    msgtype: 'stream',
    stream: { id: 'unknown', finish: true, content: '…' },
  });
});

test('an answer that WeCom does not ask for any more goes by the message’s address', async (t) => {
  const rig = await startRig(t, 'callback', { patienceMs: 200 });
  rig.wecom.callbacks.asks = false;
  const target = await opened(rig);
  const { id } = await rig.adapter.send(target, { markdown: 'late' }, { key: 's:0', draft: true });
  await assert.rejects(async () => rig.adapter.edit?.(target, id, { markdown: 'late answer' }, { key: 's:0' }), {
    code: 'target_gone',
  });
  await rig.adapter.send(target, { markdown: 'late answer' }, { key: 'd1' });
  assert.equal(rig.said(rig.direct).at(-1), 'late answer');
  // A question that comes after all does not show it a second time.
  const answer = await post(rig, { ...poll(id), from: { userid: 'ann' } });
  assert.notEqual(textAt(answer, 'stream', 'content'), 'late answer');
});

test('an answer that takes longer than six minutes is ended with a line that says so, and comes by the address', async (t) => {
  const clock = settable();
  const rig = await startRig(t, 'callback', { clock, now: clock.now });
  const target = await opened(rig);
  const { id } = await rig.adapter.send(target, { markdown: '很长的' }, { key: 's:0', draft: true });
  clock.ahead = 335_000;
  await rig.wecom.waitFor(rig.direct, ({ text }) => /下面发出/.test(text));
  await rig.adapter.edit?.(target, id, { markdown: '很长的回' }, { key: 's:0', draft: true });
  await assert.rejects(async () => rig.adapter.edit?.(target, id, { markdown: '很长的回答' }, { key: 's:0' }), {
    code: 'target_gone',
  });
  await rig.adapter.send(target, { markdown: '很长的回答' }, { key: 'd1' });
  assert.equal(rig.said(rig.direct).at(-1), '很长的回答');
});

test('a message that nobody will answer does not show dots for six minutes', async (t) => {
  const clock = settable();
  const rig = await startRig(t, 'callback', { clock, now: clock.now });
  await opened(rig);
  clock.ahead = 31_000;
  const ended = await rig.wecom.waitFor(rig.direct, ({ fromBot }) => fromBot);
  assert.deepEqual([ended.text, ended.stream?.finished], ['…', true]);
});

test('a second answer goes by the address, a third has no way, and says so', async (t) => {
  const rig = await startRig(t, 'callback');
  const target = await opened(rig);
  await rig.adapter.send(target, { markdown: 'first' }, { key: 'd1' });
  await rig.adapter.send(target, { markdown: 'second' }, { key: 'd2' });
  assert.deepEqual(rig.said(rig.direct).toSorted(), ['first', 'second']);
  await assert.rejects(rig.adapter.send(target, { markdown: 'third' }, { key: 'd3' }), {
    code: 'forbidden',
    message: /websocket/,
  });
});

test('what answers nothing goes by the newest address that is left, if it is not an hour old', async (t) => {
  const clock = settable();
  const rig = await startRig(t, 'callback', { clock, now: clock.now });
  await opened(rig, 'one');
  await opened(rig, 'two');
  await rig.adapter.send(rig.target, { markdown: 'news' }, { key: 'p1' });
  await rig.adapter.send(rig.target, { markdown: 'more news' }, { key: 'p2' });
  assert.deepEqual(rig.said(rig.direct), ['news', 'more news']);
  await opened(rig, 'three');
  clock.ahead = 3_600_000;
  await assert.rejects(rig.adapter.send(rig.target, { markdown: 'old news' }, { key: 'p3' }), { code: 'forbidden' });
});

test('an address that has been used already costs no answer while there is another', async (t) => {
  const rig = await startRig(t, 'callback');
  await opened(rig, 'one');
  await opened(rig, 'two');
  rig.wecom.faults.plan('aibot/response', { kind: 'refuse', errcode: 60140, errmsg: 'response_code expired' });
  await rig.adapter.send(rig.target, { markdown: 'news' }, { key: 'p1' });
  assert.deepEqual(rig.said(rig.direct), ['news']);
});

test('an answer by address whose confirmation was lost is uncertain, so that it is not said twice', async (t) => {
  const rig = await startRig(t, 'callback');
  await opened(rig);
  rig.wecom.faults.plan('aibot/response', { kind: 'drop', processed: true });
  await assert.rejects(rig.adapter.send(rig.target, { markdown: 'news' }, { key: 'p1' }), { code: 'uncertain' });
  assert.deepEqual(rig.said(rig.direct), ['news']);
});

test('an end that is told twice, as after a crash, is seen once', async (t) => {
  const rig = await startRig(t, 'callback');
  const target = await opened(rig);
  const { id } = await rig.adapter.send(target, { markdown: 'a' }, { key: 's:0', draft: true });
  await rig.adapter.edit?.(target, id, { markdown: 'a b' }, { key: 's:0' });
  await rig.adapter.edit?.(target, id, { markdown: 'a b' }, { key: 's:0' });
  await rig.adapter.send(target, { markdown: 'a b' }, { key: 's:0' });
  await rig.wecom.waitFor(rig.direct, ({ text }) => text === 'a b');
  assert.deepEqual(rig.said(rig.direct), ['a b']);
});

test('an answer whose process died while it grew ends in its place, though whoever ends it knows of no place', async (t) => {
  const rig = await startRig(t, 'callback');
  const target = await opened(rig);
  await rig.adapter.send(target, { markdown: 'half an' }, { key: 's:0', draft: true });
  await rig.adapter.send(target, { markdown: 'half an answer' }, { key: 'd1' });
  await rig.wecom.waitFor(rig.direct, ({ text }) => text === 'half an answer');
  assert.deepEqual(rig.said(rig.direct), ['half an answer']);
});

test('the first to open the chat is greeted in the answer to that very request', async (t) => {
  const rig = await startRig(t, 'callback');
  rig.wecom.people.enter(rig.ann, rig.direct);
  const target = targetOf(await rig.inbox.next());
  await rig.adapter.send(target, { markdown: '**Hello!**' }, { key: 'w' });
  await rig.wecom.waitFor(rig.direct, ({ text }) => text === 'Hello!');
  assert.equal(rig.wecom.calls.list('aibot/response').length, 0);
});

test('a greeting that comes after the five seconds for it has no way, says so, and is not shown later', async (t) => {
  const rig = await startRig(t, 'callback', { patienceMs: 100 });
  rig.wecom.people.enter(rig.ann, rig.direct);
  const target = targetOf(await rig.inbox.next());
  await until(() => rig.wecom.callbacks.receipts.length > 0);
  await assert.rejects(rig.adapter.send(target, { markdown: '**Hello!**' }, { key: 'w' }), { code: 'forbidden' });
  await rig.adapter.send(await opened(rig), { markdown: 'an answer' }, { key: 'd' });
  await rig.wecom.waitFor(rig.direct, ({ text }) => text === 'an answer');
  assert.deepEqual(rig.said(rig.direct), ['an answer']);
});

test('a card that is pressed by somebody else in a group says who pressed, and an unknown one is still pressed', async (t) => {
  const rig = await startRig(t, 'callback');
  const press = (user: string) => ({
    ...message(`p-${user}`),
    ...{ chattype: 'group', chatid: 'g1', from: { userid: user }, msgtype: 'event', text: undefined },
    event: {
      eventtype: 'template_card_event',
      template_card_event: { event_key: 'yes', task_id: 'another-replica’s' },
    },
  });
  for (const user of ['ann', 'bo']) {
    assert.equal(await post(rig, press(user)), 200);
    const { kind, sender, chat, text } = await rig.inbox.next();
    assert.deepEqual([kind, sender.id, chat.id, text], ['action', user, 'g1', 'yes']);
  }
});

test('a pressed button is shown as pressed in the answer to that very request, and its answer goes by address', async (t) => {
  const rig = await startRig(t, 'callback');
  const target = await opened(rig);
  const buttons = [
    { label: 'Yes', value: 'yes' },
    { label: 'No', value: 'no' },
  ];
  await rig.adapter.send(target, { markdown: 'Shall I?', buttons }, { key: 'b' });
  const shown = await rig.wecom.waitFor(rig.direct, ({ card }) => card !== undefined);
  assert.equal(shown.text, 'Shall I?');
  rig.wecom.people.press(rig.ann, shown, 'No');
  const action = await rig.inbox.next();
  assert.equal(action.text, 'no');
  await rig.wecom.waitFor(rig.direct, ({ card }) => card?.replaced === '✔ No');
  await rig.adapter.send(targetOf(action), { markdown: 'As you wish.' }, { key: 'd' });
  assert.equal(rig.said(rig.direct).at(-1), 'As you wish.');
});

test('what a chat leaves behind has a bound', async (t) => {
  const memory = new Map<string, string>();
  const rig = await startRig(t, 'callback', { memory });
  for (let n = 0; n < 80; n++) await post(rig, message(`m${n}`));
  const rows = [...memory.keys()].filter((key) => key.includes('place:'));
  assert.ok(rows.length <= 32, `${rows.length} rows`);
  assert.deepEqual(await post(rig, poll(placeId('ann', 'm79'))), {
    msgtype: 'stream',
    stream: { id: placeId('ann', 'm79'), finish: false, content: '' },
  });
});

test('files that people send are opened with the callback’s own key', async (t) => {
  const rig = await startRig(t, 'callback');
  rig.wecom.people.sendMixed(rig.ann, rig.direct, ['look at', Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2])]);
  const { text, files } = await rig.inbox.next();
  assert.equal(text, 'look at');
  const [file] = files;
  assert.ok(file !== undefined && rig.adapter.fetchFile !== undefined);
  const fetched = await rig.adapter.fetchFile(file, { maxBytes: 1_000, signal: AbortSignal.timeout(5_000) });
  assert.deepEqual([fetched.name, fetched.mime], ['picture.png', 'image/png']);
});
