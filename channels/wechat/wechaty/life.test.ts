import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { AntlerError } from '../../../src/base/errors.ts';
import type { FileId } from '../../../src/base/ids.ts';
import { createWechatyAdapter } from './adapter.ts';
import { startRig } from './testing/rig.ts';

const rigs: Awaited<ReturnType<typeof startRig>>[] = [];
async function rig(...options: Parameters<typeof startRig>) {
  const made = await startRig(...options);
  rigs.push(made);
  return made;
}
afterEach(async () => {
  for (const made of rigs.splice(0)) await made.stop();
});

test('a service that is restarted is connected to again, which wechaty does not do by itself', async () => {
  const { wechat, adapter, inbox, ann, dm, statuses, connected, status } = await rig();
  await adapter.start();
  await connected();
  await wechat.kill();
  await status(({ state }) => state === 'failing');
  await assert.rejects(adapter.send(dm, { markdown: 'hi' }, { key: '1' }), { code: 'unavailable' });
  await wechat.revive();
  await connected();
  wechat.people.say(ann, ann, 'still there?');
  assert.equal((await inbox.next()).text, 'still there?');
  await adapter.send(dm, { markdown: 'yes' }, { key: '2' });
  assert.equal(wechat.visible(ann).at(-1)?.text, 'yes');
  assert.ok(statuses.some((one) => one.state === 'failing' && /wechaty stopped/.test(one.problem)));
});

test('a service that falls silent is given up and connected to anew', async () => {
  const { wechat, adapter, inbox, ann, connected, status } = await rig({ patience: { silenceMs: 900, dingMs: 200 } });
  await adapter.start();
  await connected();
  wechat.freeze();
  await status((one) => one.state === 'failing' && /no sign of life/.test(one.problem));
  wechat.thaw();
  await connected();
  wechat.people.say(ann, ann, 'hello?');
  assert.equal((await inbox.next()).text, 'hello?');
});

test('a wrong token is refused at start and stands in no error and no log line', async () => {
  const { adapter, logged, statuses } = await rig({
    wrongToken: 'insecure_secret-of-ours',
    patience: { firstAnswerMs: 60_000 }, // a busy machine takes its time to import wechaty
  });
  const refused = await adapter.start().then(
    () => assert.fail('started'),
    (error: unknown) => error,
  );
  assert.ok(refused instanceof AntlerError);
  assert.equal(refused.code, 'unauthorized');
  assert.match(refused.message, /puppet_options\.token/);
  const seen = await adapter.probe();
  assert.ok(
    !seen.ok && /refused puppet_options\.token/.test(seen.problem ?? ''),
    'who only looks knows it from now on',
  );
  assert.ok(!JSON.stringify([logged, statuses, refused.message, refused.stack]).includes('secret-of-ours'));
});

test('a send whose answer never comes is uncertain; one that was never made is not', async () => {
  const { wechat, adapter, dm, connected } = await rig({ patience: { textMs: 400 } });
  await adapter.start();
  await connected();
  const send = (key: string) => adapter.send(dm, { markdown: `text ${key}` }, { key });
  wechat.faults.plan('messageSendText', { kind: 'hang' });
  await assert.rejects(send('1'), { code: 'uncertain' });
  wechat.faults.plan('messageSendText', { kind: 'drop', processed: true });
  await assert.rejects(send('2'), { code: 'uncertain' });
  await assert.rejects(send('3'), { code: 'unavailable' });
});

test('over TLS, as a service is by default', async () => {
  const { wechat, adapter, inbox, ann, connected } = await rig({ tls: true });
  await adapter.start();
  await connected();
  wechat.people.say(ann, ann, 'safe?');
  assert.equal((await inbox.next()).text, 'safe?');
});

test('somebody has to scan a code, and sees each code once', async () => {
  const { wechat, adapter, inbox, ann, dm, statuses, connected, status } = await rig({ loggedIn: false });
  await adapter.start();
  assert.equal((await adapter.probe()).ok, false);
  wechat.scan('https://login.example/1');
  wechat.scan('https://login.example/1');
  await status((one) => one.state === 'login');
  wechat.scan('https://login.example/1', 'timeout');
  wechat.scan('https://login.example/2');
  await status((one) => one.state === 'login' && one.qr.endsWith('/2'));
  wechat.scan('https://login.example/2', 'scanned');
  wechat.scan('https://login.example/2', 'confirmed');
  await assert.rejects(adapter.send(dm, { markdown: 'hi' }, { key: '1' }), { code: 'unavailable' });
  wechat.people.say(ann, ann, 'before the login');
  wechat.login();
  await connected();
  assert.equal((await inbox.next()).text, 'before the login');
  const codes = statuses.flatMap((one) => (one.state === 'login' ? [one.qr] : []));
  assert.deepEqual(codes, ['https://login.example/1', 'https://login.example/2']);
});

test('after a logout somebody else may log in, and is who speaks from then on', async () => {
  const { wechat, adapter, inbox, ann, dm, connected, status } = await rig();
  await adapter.start();
  await connected();
  wechat.logout();
  await status((one) => one.state === 'failing' && /logged the bot out/.test(one.problem));
  await assert.rejects(adapter.send(dm, { markdown: 'hi' }, { key: '1' }), { code: 'unavailable' });
  wechat.scan('https://login.example/1');
  await status((one) => one.state === 'login');
  const formerly = wechat.account;
  const now = wechat.changeAccount('Antler II');
  wechat.login();
  await connected();
  wechat.people.say(now, ann, 'from the phone of the new one');
  const room = wechat.addRoom({ topic: 'Team', members: [ann, formerly] });
  wechat.people.say(formerly, room, '@Antler II\u2005hello');
  const message = await inbox.next();
  assert.deepEqual([message.text, message.sender.id, message.addressed], ['hello', formerly.id, 'mention']);
});

test('a bot that neither logs in nor shows a code is started anew', async () => {
  const { wechat, adapter, statuses, status } = await rig({ loggedIn: false, patience: { loginMs: 300 } });
  await adapter.start();
  await status((one) => one.state === 'failing' && /neither a QR code nor a login/.test(one.problem));
  wechat.scan('https://login.example/1'); // the service shows it to everybody who comes
  await status((one) => one.state === 'login');
  assert.ok(statuses.filter(({ state }) => state === 'connecting').length >= 2);
});

test('stop ends the process at once and without a word to WeChat, and the adapter can start again', async () => {
  const { wechat, adapter, inbox, ann, connected } = await rig();
  await adapter.start();
  await connected();
  const before = performance.now();
  await adapter.stop();
  assert.ok(performance.now() - before < 1_000);
  // A puppet that is told to stop may log the account out.
  assert.deepEqual(wechat.calls.list('stop'), []);
  assert.deepEqual(wechat.calls.list('logout'), []);
  await adapter.start();
  await connected();
  wechat.people.say(ann, ann, 'back?');
  assert.equal((await inbox.next()).text, 'back?');
});

test('another process that is asked for a file or a text says that it cannot know', async () => {
  const { wechat, adapter, dm, connected } = await rig();
  const elsewhere = await createWechatyAdapter((await rig()).context);
  await adapter.start();
  await connected();
  const file = { id: 'm1', kind: 'image' as const, name: 'x.jpg' };
  const { signal } = new AbortController();
  await assert.rejects(async () => elsewhere.fetchFile?.(file, { maxBytes: 10, signal }), { code: 'unavailable' });
  await assert.rejects(elsewhere.send(dm, { markdown: 'x' }, { key: '1' }), { code: 'unavailable' });
  assert.deepEqual(await elsewhere.probe(), { ok: true });
  await wechat.stop();
});

test('probe from another process tells whether there is a service at all', async () => {
  const { wechat, adapter } = await rig();
  assert.deepEqual(await adapter.probe(), { ok: true });
  await wechat.kill();
  const { ok, problem } = await adapter.probe();
  assert.equal(ok, false);
  assert.match(problem ?? '', /ECONNREFUSED/);
});

test('a file whose sending was not confirmed is not sent again by wechaty', async () => {
  const { wechat, adapter, ann, dm, connected } = await rig({ patience: { probeMs: 12_000 } });
  await adapter.start();
  await connected();
  const content = new Uint8Array([1, 2, 3]);
  const file = { id: 'f' as FileId, kind: 'file' as const, name: 'a.bin', mime: 'x/y', bytes: 3, content };
  for (const processed of [true, false]) {
    wechat.faults.plan('messageSendFile', { kind: 'drop', processed });
    await assert.rejects(async () => adapter.sendFile?.(dm, file, '', { key: 'f' }), { code: 'uncertain' });
    assert.equal((await adapter.probe()).ok, true); // connected again
  }
  wechat.faults.plan('messageSendFile', { kind: 'refuse', message: 'no' });
  await assert.rejects(async () => adapter.sendFile?.(dm, file, '', { key: 'f' }), { code: 'internal' });
  assert.equal(wechat.visible(ann).length, 1);
});
