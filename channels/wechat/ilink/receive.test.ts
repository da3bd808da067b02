import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AntlerError } from '../../../src/base/errors.ts';
import { shortSleep } from '../../../src/channel/testing/desk.ts';
import { startRig } from './testing/rig.ts';

async function connected(t: TestContext, options: Parameters<typeof startRig>[0] = {}) {
  const rig = await startRig(options);
  t.after(rig.stop);
  await rig.adapter.start();
  return { ...rig, self: await rig.bot() };
}

test('a text arrives with its words and its speaker, and an answer goes back', async (t) => {
  const { wechat, inbox, adapter, ann, self, target } = await connected(t);
  const said = wechat.people.say(ann, self, 'hello "message_id":1 你好 [微笑]');
  const message = await inbox.next();
  assert.equal(message.text, 'hello "message_id":1 你好 [微笑]');
  assert.deepEqual([message.id, message.chat.id, message.addressed], [said.id, ann.id, 'dm']);
  const sent = await adapter.send(target, { markdown: 'Hi **Ann**' }, { key: 'k' });
  const shown = await wechat.waitFor(wechat.chatOf(ann, self), ({ fromBot }) => fromBot);
  assert.deepEqual([shown.text, shown.id], ['Hi Ann', sent.id]);
});

test('the place in the queue is kept only when all before it is taken in, so a crash loses nothing', async (t) => {
  const memory = new Map<string, string>();
  const { wechat, inbox, adapter, ann, self } = await connected(t, { memory });
  let refusals = 0;
  inbox.refuse = () => {
    refusals++;
    return new AntlerError('unavailable', 'no database', { retryable: true });
  };
  wechat.people.say(ann, self, 'one');
  wechat.people.say(ann, self, 'two');
  await until(() => refusals > 2);
  await adapter.stop();
  assert.ok(![...memory.keys()].some((key) => key.includes('cursor')));
  inbox.refuse = () => false;
  await adapter.start();
  assert.deepEqual([(await inbox.next()).text, (await inbox.next()).text], ['one', 'two']);
});

test('one message that is always refused holds up neither its batch nor what comes later', async (t) => {
  const { wechat, inbox, ann, bo, self } = await connected(t);
  let offered = 0;
  inbox.refuse = ({ text }) => {
    if (text === 'fine') return false;
    offered++;
    return new AntlerError('internal', 'cannot be stored');
  };
  wechat.people.say(ann, self, 'poison');
  wechat.people.say(bo, self, 'fine');
  assert.equal((await inbox.next()).text, 'fine');
  inbox.refuse = ({ text }) => text === 'poison' && new AntlerError('internal', 'cannot be stored');
  assert.equal((await inbox.next()).text, '[message]', 'a placeholder takes its place');
  wechat.people.say(ann, self, 'fine again');
  assert.equal((await inbox.next()).text, 'fine again');
  assert.ok(offered > 0);
});

test('a batch that comes twice bears the same ids', async (t) => {
  const { wechat, inbox, ann, self } = await connected(t);
  wechat.people.say(ann, self, 'once');
  const first = await inbox.next();
  wechat.people.redeliver(self);
  assert.equal((await inbox.next()).id, first.id);
});

test('an answer without a place in the queue, or with an empty one, keeps the old place', async (t) => {
  const { wechat, inbox, memory, ann, self } = await connected(t);
  wechat.people.say(ann, self, 'one');
  await inbox.next();
  const places = (): string[] => [...memory].filter(([key]) => key.includes('cursor')).map(([, value]) => value);
  await until(() => places().length === 1);
  const before = places();
  const held = wechat.calls.list('getupdates').length;
  for (const body of ['{"ret":0,"msgs":[]}', '{"ret":0,"get_updates_buf":""}', '{}', '{"msgs":null}'])
    wechat.faults.plan('getupdates', { kind: 'raw', status: 200, body });
  wechat.dropConnections();
  // The four, and the one that is held after them.
  await until(() => wechat.calls.list('getupdates').length >= held + 4);
  assert.deepEqual(places(), before);
  wechat.people.say(ann, self, 'two');
  assert.equal((await inbox.next()).text, 'two');
});

test('whatever the server answers instead, polling goes on, and says so while it fails', async (t) => {
  const { wechat, inbox, statuses, ann, self } = await connected(t);
  const { faults } = wechat;
  faults.plan('getupdates', { kind: 'raw', status: 502, body: '<html>Bad Gateway</html>' });
  faults.plan('getupdates', { kind: 'raw', status: 524, body: 'timeout' });
  faults.plan('getupdates', { kind: 'raw', status: 200, body: '<html>Log in to the hotel’s network</html>' });
  faults.plan('getupdates', { kind: 'raw', status: 403, body: '' });
  faults.plan('getupdates', { kind: 'refuse', ret: 0, errcode: -1 });
  faults.plan('getupdates', { kind: 'refuse', ret: -9, errmsg: 'odd' });
  faults.plan('getupdates', { kind: 'drop', processed: false });
  wechat.dropConnections();
  wechat.people.say(ann, self, 'still here?');
  assert.equal((await inbox.next()).text, 'still here?');
  const problems = statuses.flatMap((status) => (status.state === 'failing' ? [status.problem] : []));
  assert.ok(problems.length >= 5, JSON.stringify(problems));
  assert.equal(statuses.at(-1)?.state, 'connected');
});

test('the server says how long it holds a poll, within reason', async (t) => {
  const { wechat, inbox, ann, self } = await connected(t);
  for (const hint of [0, -5, 1e12, '"soon"', 5_000])
    wechat.faults.plan('getupdates', { kind: 'raw', status: 200, body: `{"longpolling_timeout_ms":${hint}}` });
  wechat.dropConnections();
  wechat.people.say(ann, self, 'hi');
  assert.equal((await inbox.next()).text, 'hi');
});

test('a poll that nobody answers is an empty one', async (t) => {
  const { wechat, inbox, statuses, ann, self } = await connected(t);
  // From here on, when only polls are made, patience ends two hundred times as fast. A login might not be done so soon.
  const timeout = AbortSignal.timeout;
  t.mock.method(AbortSignal, 'timeout', (ms: number) => timeout.call(AbortSignal, ms / 200));
  wechat.faults.plan('getupdates', { kind: 'hang' }, 2);
  wechat.dropConnections();
  wechat.people.say(ann, self, 'after it');
  assert.equal((await inbox.next()).text, 'after it');
  assert.ok(!statuses.some((status) => status.state === 'failing' && /in time/.test(status.problem)));
});

test('a server that holds no poll open is not flooded', async (t) => {
  const waits: number[] = [];
  const clock = {
    now: () => Date.now(),
    sleep: async (ms: number, signal?: AbortSignal) => {
      waits.push(ms);
      await shortSleep(ms, signal);
    },
  };
  const { wechat } = await connected(t, { clock, limits: { holdMs: 0 } });
  await wechat.calls.waitFor('getupdates', 5);
  assert.ok(waits.filter((ms) => ms === 1_000).length >= 3);
});

test('a quotation is looked up: the bot’s own words, a part of them, a person’s; the bot’s even after a restart', async (t) => {
  const { wechat, inbox, adapter, ann, self, target } = await connected(t);
  const first = wechat.people.say(ann, self, 'my question');
  await inbox.next();
  await adapter.send(target, { markdown: '**First** line and second line' }, { key: 'a' });
  const answer = await wechat.waitFor(wechat.chatOf(ann, self), ({ fromBot }) => fromBot);
  const quote = async (options: Parameters<typeof wechat.people.say>[3]) => {
    wechat.people.say(ann, self, 'and this?', options);
    return (await inbox.next()).quote;
  };
  assert.deepEqual(await quote({ quoting: answer }), {
    messageId: answer.id,
    fromBot: true,
    text: 'First line and second line',
    files: [],
  });
  assert.equal((await quote({ quoting: answer, quotePart: 'second line' }))?.text, 'second line');
  assert.equal((await quote({ quoting: answer, quoteWhole: true }))?.fromBot, true);
  const own = await quote({ quoting: first });
  assert.deepEqual([own?.fromBot, own?.text], [false, 'my question']);
  await adapter.stop();
  await adapter.start();
  wechat.people.say(ann, self, 'later', { quoting: answer });
  for (;;) {
    const message = await inbox.next();
    if (message.text === 'later') {
      assert.equal(message.quote?.text, 'First line and second line');
      break;
    }
  }
});

test('in a group, a reply to the bot is for the bot, and its answer goes to the group', async (t) => {
  const { wechat, inbox, adapter, ann, self } = await connected(t);
  const inject = (text: string, more: object = {}) =>
    wechat.people.inject(self, {
      message_id: `uint64:${wechat.calls.list().length}00000000000000001`,
      from_user_id: ann.id,
      group_id: 'team@chatroom',
      create_time_ms: Date.now(),
      message_type: 1,
      message_state: 2,
      context_token: 'G1',
      item_list: [{ type: 1, text_item: { text }, ...more }],
    });
  inject('lunch?');
  const heard = await inbox.next();
  assert.deepEqual([heard.chat, heard.addressed], [{ id: 'team@chatroom', kind: 'group' }, 'none']);
  wechat.faults.plan('sendmessage', { kind: 'raw', status: 200, body: '{"message_id":9007199254740999}' });
  const group = { chat: 'team@chatroom', chatKind: 'group' } as const;
  const { id } = await adapter.send(group, { markdown: 'Noodles' }, { key: 'g' });
  const sent = JSON.stringify(wechat.calls.list('sendmessage').at(-1)?.body);
  assert.match(sent, /"to_user_id":"team@chatroom","group_id":"team@chatroom"/);
  assert.match(sent, /"context_token":"G1"/);
  inject('where?', { ref_msg: { svr_id: `uint64:${id}` } });
  const reply = await inbox.next();
  assert.deepEqual([reply.addressed, reply.quote?.text], ['reply', 'Noodles']);
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('it did not come to be within 15 s');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
