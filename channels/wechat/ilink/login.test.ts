import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { shortSleep } from '../../../src/channel/testing/desk.ts';
import { type Rig, reported, startRig } from './testing/rig.ts';

/** An adapter that waits for somebody to scan. */
async function waiting(t: TestContext, options: Parameters<typeof startRig>[0] = {}): Promise<Rig> {
  const rig = await startRig({ scans: false, ...options });
  t.after(rig.stop);
  await rig.adapter.start();
  return rig;
}

test('a login goes from code to scan to confirmation, says what to do, and is kept for the next start', async (t) => {
  const { wechat, adapter, statuses, ann, inbox, memory } = await waiting(t);
  const code = await wechat.logins.code();
  wechat.logins.scan(code);
  await reported(statuses, ({ state, ...rest }) => state === 'login' && /Confirm/.test(JSON.stringify(rest)));
  const bot = wechat.logins.confirm(code, ann);
  wechat.people.say(ann, bot, 'hello');
  assert.equal((await inbox.next()).text, 'hello');
  const [first] = statuses.filter(({ state }) => state === 'login');
  assert.ok(first?.state === 'login');
  assert.equal(first.qr, code.content);
  assert.match(first.hint, /Scan the code with WeChat/);
  assert.equal(statuses.at(-1)?.state, 'connected');

  await adapter.stop();
  await adapter.start();
  wechat.people.say(ann, bot, 'again');
  // What was taken in right before the stop may come once more; intake knows it again.
  const texts = [(await inbox.next()).text];
  if (texts[0] === 'hello') texts.push((await inbox.next()).text);
  assert.equal(texts.at(-1), 'again');
  assert.equal(wechat.logins.codes.length, 1);
  assert.ok([...memory].some(([key, value]) => key.startsWith('secret/') && value.includes(bot.token)));
  assert.ok([...memory].every(([key, value]) => key.startsWith('secret/') || !value.includes(bot.token)));
});

test('a code that runs out is replaced, however often, and that is no failure', async (t) => {
  const { wechat, statuses, ann, inbox } = await waiting(t);
  for (let count = 1; count <= 5; count++) wechat.logins.expire(await wechat.logins.code('wait', count));
  const code = await wechat.logins.code('wait', 6);
  assert.equal(new Set(wechat.logins.codes.map(({ content }) => content)).size, 6);
  assert.ok(!statuses.some(({ state }) => state === 'failing'));
  wechat.people.say(ann, wechat.logins.confirm(code, ann), 'hello');
  assert.equal((await inbox.next()).text, 'hello');
});

test('the number on the phone is typed in here; a wrong one is asked for again', async (t) => {
  const { wechat, adapter, statuses, ann, inbox } = await waiting(t);
  await adapter.enterLoginCode?.('0000'); // for nobody
  const code = await wechat.logins.code();
  wechat.logins.askForNumber(code, ann, '4711');
  await reported(statuses, (status) => status.state === 'login' && status.wantsCode === true);
  await adapter.enterLoginCode?.('1234');
  await reported(statuses, (status) => status.state === 'login' && /not the number/.test(status.hint));
  await adapter.enterLoginCode?.('4711');
  await wechat.logins.code('confirmed');
  const [bot] = wechat.bots;
  assert.ok(bot !== undefined);
  wechat.people.say(ann, bot, 'hello');
  assert.equal((await inbox.next()).text, 'hello');
  const typed = wechat.calls.list('get_qrcode_status').map(({ query }) => query.verify_code);
  assert.ok(!typed.includes('0000'));
});

test('too many wrong numbers use a code up', async (t) => {
  const { wechat, adapter, statuses, ann } = await waiting(t);
  wechat.logins.askForNumber(await wechat.logins.code(), ann, '4711');
  await reported(statuses, (status) => status.state === 'login' && status.wantsCode === true);
  for (let wrong = 1; wrong <= 3; wrong++) {
    await adapter.enterLoginCode?.(`${wrong}`);
    const tried = (): number =>
      wechat.calls.list('get_qrcode_status').filter(({ query }) => 'verify_code' in query).length;
    await reported(statuses, () => tried() >= wrong);
  }
  await wechat.logins.code('wait', 2);
});

test('a login is led on to another host of the same house, and never to a foreign one', async (t) => {
  const { wechat, statuses, ann, inbox } = await waiting(t);
  const code = await wechat.logins.code();
  wechat.logins.redirect(code, 'evil.example');
  await reported(statuses, (status) => status.state === 'failing' && /foreign host/.test(status.problem));
  const second = await wechat.logins.code('wait', 2);
  wechat.logins.redirect(second, new URL(wechat.url).host);
  await wechat.calls.waitFor('get_qrcode_status', 3);
  wechat.logins.confirm(second, ann, 'https://evil.example');
  await reported(statuses, (status) => status.state === 'failing' && /leads the bot/.test(status.problem));
  const third = await wechat.logins.code('wait', 3);
  wechat.people.say(ann, wechat.logins.confirm(third, ann), 'hello');
  assert.equal((await inbox.next()).text, 'hello');
});

test('when WeChat ends the login a new one is asked for at once, and nothing said meanwhile is lost', async (t) => {
  const { wechat, statuses, ann, inbox, target, adapter } = await waiting(t);
  const bot = wechat.logins.confirm(await wechat.logins.code(), ann);
  wechat.people.say(ann, bot, 'before');
  assert.equal((await inbox.next()).text, 'before');
  const former = bot.token;
  wechat.endLogin(bot);
  const code = await wechat.logins.code('wait', 2);
  assert.deepEqual(code.formerTokens, [former]);
  await reported(statuses, (status) => status.state === 'login' && status.qr === code.content);
  await assert.rejects(adapter.send(target, { markdown: 'x' }, { key: 'x' }), { code: 'unauthorized' });
  wechat.people.say(ann, bot, 'meanwhile');
  wechat.logins.confirm(code, ann);
  assert.equal((await inbox.next()).text, 'meanwhile');
  await adapter.send(target, { markdown: 'x' }, { key: 'x' });
  assert.equal(inbox.waiting, 0);
});

test('a code that WeChat says is bound already brings the known login back', async (t) => {
  const { wechat, ann, inbox } = await waiting(t);
  const bot = wechat.logins.confirm(await wechat.logins.code(), ann);
  wechat.people.say(ann, bot, 'before');
  await inbox.next();
  wechat.faults.plan('getupdates', { kind: 'refuse', ret: -14, errmsg: 'session timeout' });
  wechat.people.say(ann, bot, 'wake up');
  wechat.logins.alreadyBound(await wechat.logins.code('wait', 2));
  const heard = await inbox.next();
  assert.equal(heard.text, 'wake up');
});

test('an account whose bot is bound elsewhere is told so', async (t) => {
  const { wechat, statuses } = await waiting(t);
  wechat.logins.alreadyBound(await wechat.logins.code());
  await reported(statuses, (status) => status.state === 'failing' && /remove that one in WeChat/.test(status.problem));
  await wechat.logins.code('wait', 2);
});

test('no code can be had: it says why, tries on, and can be stopped at any moment', async (t) => {
  const { wechat, adapter, statuses } = await startRig({ scans: false });
  t.after(() => wechat.stop());
  wechat.faults.plan('get_bot_qrcode', { kind: 'raw', status: 502, body: '<html>Bad Gateway</html>' }, 2);
  await adapter.start();
  const code = await wechat.logins.code();
  assert.ok(statuses.some((status) => status.state === 'failing' && /problem of its own/.test(status.problem)));
  wechat.faults.plan('get_qrcode_status', { kind: 'raw', status: 524, body: 'timeout' }, 3);
  wechat.logins.scan(code);
  await reported(statuses, (status) => status.state === 'login' && /Confirm/.test(status.hint));
  await adapter.stop();
  const health = await adapter.probe();
  assert.equal(health.ok, false);
});

test('whether a login is there and still good can be asked without a connection', async (t) => {
  const { wechat, adapter, ann } = await startRig({ scans: false });
  t.after(() => wechat.stop());
  assert.match((await adapter.probe()).problem ?? '', /Nobody has logged in yet/);
  await adapter.start();
  assert.match((await adapter.probe()).problem ?? '', /scan the QR code/);
  const bot = wechat.logins.confirm(await wechat.logins.code(), ann);
  await wechat.calls.waitFor('getupdates', 1);
  await adapter.stop();
  const calls = wechat.calls.list('getupdates').length;
  assert.deepEqual(await adapter.probe(), { ok: true, identity: bot.id });
  wechat.endLogin(bot);
  assert.match((await adapter.probe()).problem ?? '', /scan the QR code again/);
  await wechat.stop();
  assert.match((await adapter.probe()).problem ?? '', /reached|broke/);
  assert.equal(wechat.calls.list('getupdates').length, calls);
});

test('codes that are over at once are not asked for without end', async (t) => {
  const waits: number[] = [];
  const clock = {
    now: () => Date.now(),
    sleep: async (ms: number, signal?: AbortSignal) => {
      waits.push(ms);
      await shortSleep(ms, signal);
    },
  };
  const { wechat } = await waiting(t, { clock });
  for (let count = 1; count <= 6; count++) wechat.logins.expire(await wechat.logins.code('wait', count));
  await wechat.logins.code('wait', 7);
  assert.ok(Math.max(...waits) > 4_000, JSON.stringify(waits));
});

test('a code of which nothing is heard any more is replaced after its time', async (t) => {
  let now = Date.now();
  const { wechat } = await waiting(t, { clock: { now: () => now, sleep: shortSleep } });
  await wechat.logins.code();
  wechat.faults.plan('get_qrcode_status', { kind: 'raw', status: 502, body: '' }, 1_000);
  wechat.dropConnections();
  await wechat.calls.waitFor('get_qrcode_status', 3);
  now += 361_000;
  await wechat.logins.code('wait', 2);
  wechat.faults.clear();
});

test('a number that nobody types in does not keep an old code for ever', async (t) => {
  const timeout = AbortSignal.timeout;
  t.mock.method(AbortSignal, 'timeout', (ms: number) => timeout.call(AbortSignal, ms > 300_000 ? 50 : ms));
  let now = Date.now();
  const { wechat, statuses, ann } = await waiting(t, { clock: { now: () => now, sleep: shortSleep } });
  wechat.logins.askForNumber(await wechat.logins.code(), ann, '4711');
  await reported(statuses, (status) => status.state === 'login' && status.wantsCode === true);
  now += 361_000;
  await wechat.logins.code('wait', 2);
});

test('a login that is confirmed after the connection was given up does not overwrite what the new holder keeps', async (t) => {
  const { wechat, adapter, memory, ann } = await waiting(t);
  const code = await wechat.logins.code();
  wechat.faults.plan('get_qrcode_status', { kind: 'delay', ms: 50 }, 10);
  wechat.logins.scan(code);
  await wechat.calls.waitFor('get_qrcode_status', 2);
  wechat.logins.confirm(code, ann);
  const stopping = adapter.stop();
  memory.set('secret/login', 'of the new holder');
  await stopping;
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(memory.get('secret/login'), 'of the new holder');
  assert.ok(![...memory.keys()].some((key) => key.includes('cursor')));
});
