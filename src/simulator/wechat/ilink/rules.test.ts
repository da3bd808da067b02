import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startIlink } from './index.ts';

const HEADERS = {
  'content-type': 'application/json',
  authorizationtype: 'ilink_bot_token',
  'ilink-app-id': 'bot',
  'ilink-app-clientversion': '132105',
  'x-wechat-uin': Buffer.from('12345').toString('base64'),
};

/** A bot that somebody has logged in, and calls as it makes them. */
async function loggedIn(t: TestContext, options: Parameters<typeof startIlink>[0] = {}) {
  const wechat = await startIlink(options);
  t.after(() => wechat.stop());
  const ann = wechat.addPerson('Ann');
  const bot = wechat.logins.confirm(wechat.logins.issue([]), ann);
  const call = async (method: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${wechat.url}/ilink/bot/${method}`, {
      method: 'POST',
      headers: { ...HEADERS, authorization: `Bearer ${bot.token}`, ...headers },
      body: JSON.stringify({ ...body, base_info: { channel_version: '2.4.9' } }),
    });
    return { status: response.status, text: await response.text() };
  };
  const send = async (text: string, clientId: string, more: object = {}) => {
    const msg = {
      to_user_id: ann.id,
      client_id: clientId,
      message_type: 2,
      message_state: 2,
      item_list: [{ type: 1, text_item: { text } }],
      context_token: wechat.chatOf(ann, bot).contextToken,
      ...more,
    };
    return (await call('sendmessage', { msg })).text;
  };
  return { wechat, ann, bot, call, send };
}

const REFUSED = '{"ret":-2,"errmsg":""}';

test('ids are bare numbers that JavaScript cannot hold', async (t) => {
  const { wechat, ann, bot, call, send } = await loggedIn(t);
  wechat.people.say(ann, bot, 'hi "uint64:7"');
  const { text } = await call('getupdates', { get_updates_buf: '' });
  const [, id = ''] = /"message_id":(\d+),/.exec(text) ?? [];
  assert.ok(BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER));
  assert.match(await send('hello', 'a'), /^\{"message_id":\d{16,}\}$/);
});

test('a place in the queue that is given again brings the same again', async (t) => {
  const { wechat, ann, bot, call } = await loggedIn(t, { limits: { holdMs: 20 } });
  wechat.people.say(ann, bot, 'one');
  const first = await call('getupdates', { get_updates_buf: '' });
  assert.deepEqual(await call('getupdates', { get_updates_buf: '' }), first);
  const { get_updates_buf: next } = JSON.parse(first.text);
  assert.deepEqual(JSON.parse((await call('getupdates', { get_updates_buf: next })).text).msgs, []);
  wechat.people.say(ann, bot, 'two');
  assert.match((await call('getupdates', { get_updates_buf: next })).text, /"two"/);
});

test('a client’s id is known again', async (t) => {
  const { wechat, ann, bot, send } = await loggedIn(t);
  wechat.people.say(ann, bot, 'hi');
  assert.equal(await send('once', 'same'), await send('once', 'same'));
  assert.equal(wechat.chatOf(ann, bot).messages.length, 2);
});

test('what the platform refuses is refused with HTTP 200', async (t) => {
  let now = 1_700_000_000_000;
  const { wechat, ann, bot, send } = await loggedIn(t, { now: () => now, limits: { repliesPerMessage: 2 } });
  assert.equal(await send('to somebody who never wrote', 'a'), REFUSED);
  wechat.people.say(ann, bot, 'hi');
  assert.equal(await send('x'.repeat(16_385), 'b'), REFUSED);
  assert.equal(await send('', 'c'), REFUSED);
  assert.equal(await send('made-up token', 'd', { context_token: 'x' }), REFUSED);
  assert.match(await send('no item', 'e', { item_list: [] }), /"ret":-3/);
  assert.match(await send('one', 'f'), /message_id/);
  assert.match(await send('two', 'g'), /message_id/);
  assert.equal(await send('three', 'h'), REFUSED);
  wechat.people.say(ann, bot, 'hi again');
  now += 24 * 3_600_000 + 1;
  assert.equal(await send('a day later', 'i'), REFUSED);
});

test('a login that is over, or was replaced, is told so, in the middle of a poll too', async (t) => {
  const { wechat, ann, bot, call } = await loggedIn(t);
  const polling = call('getupdates', { get_updates_buf: '' });
  await wechat.calls.waitFor('getupdates', 1);
  const former = bot.token;
  wechat.logins.confirm(wechat.logins.issue([former]), ann);
  assert.match((await polling).text, /"ret":-14/);
  assert.notEqual(bot.token, former);
});

test('headers that the protocol asks for are asked for', async (t) => {
  const { call } = await loggedIn(t);
  for (const headers of [{ authorizationtype: 'x' }, { 'ilink-app-id': '' }, { 'x-wechat-uin': 'not a number' }])
    assert.equal((await call('getconfig', {}, headers)).status, 400, JSON.stringify(headers));
});

test('an upload must be what was announced', async (t) => {
  const { wechat, call } = await loggedIn(t);
  const announced = { filekey: 'k', rawsize: 20, filesize: 32, aeskey: '0'.repeat(32), rawfilemd5: '0'.repeat(32) };
  assert.match((await call('getuploadurl', { ...announced, filesize: 20 })).text, /"ret":-3/);
  const { upload_param: param } = JSON.parse((await call('getuploadurl', announced)).text);
  const put = (bytes: number) =>
    fetch(`${wechat.cdnUrl}/upload?encrypted_query_param=${param}&filekey=k`, {
      method: 'POST',
      body: new Uint8Array(bytes),
    });
  assert.equal((await put(31)).status, 400);
  const taken = await put(32);
  assert.deepEqual([taken.status, taken.headers.get('x-encrypted-param')?.slice(0, 3)], [200, 'dl_']);
  assert.equal((await put(32)).status, 400, 'once');
});
