import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { AntlerError } from '../../../src/base/errors.ts';
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
  const { adapter, logged, statuses } = await rig({ wrongToken: 'insecure_secret-of-ours' });
  const refused = await adapter.start().then(
    () => assert.fail('started'),
    (error: unknown) => error,
  );
  assert.ok(refused instanceof AntlerError);
  assert.equal(refused.code, 'unauthorized');
  assert.match(refused.message, /puppet_options\.token/);
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
