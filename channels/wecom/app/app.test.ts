import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../../../src/base/errors.ts';
import { targetOf } from '../../../src/channel/target.ts';
import { field, textAt } from '../../../src/simulator/kit/field.ts';
import type { WecomConfig } from '../config.ts';
import { startRig } from '../testing/rig.ts';
import { until } from '../testing/steps.ts';
import { createAppAdapter } from './adapter.ts';

type Rig = Awaited<ReturnType<typeof startRig>>;
const sends = (rig: Rig) => rig.wecom.calls.list('message/send').map(({ body }) => body);

test('a message is acknowledged at once and empty, and answered by the API', async (t) => {
  const rig = await startRig(t, 'app');
  rig.wecom.people.say(rig.ann, rig.direct, 'hello');
  const target = targetOf(await rig.inbox.next());
  const { id } = await rig.adapter.send(target, { markdown: '# Hi\n\n- **one**\n- two' }, { key: 'd' });
  assert.deepEqual(rig.said(rig.direct), ['# Hi\n\n• **one**\n• two']);
  assert.deepEqual(rig.wecom.callbacks.receipts.at(-1)?.receipt, { kind: 'taken', answer: undefined });
  await rig.adapter.delete?.(target, id);
  assert.deepEqual(rig.said(rig.direct), []);
});

test('what was not stored comes again, and is one message', async (t) => {
  const rig = await startRig(t, 'app');
  let refusals = 0;
  rig.inbox.refuse = () => refusals++ === 0 && new AntlerError('unavailable', 'no database', { retryable: true });
  const { id } = rig.wecom.people.say(rig.ann, rig.direct, 'keep me');
  assert.equal((await rig.inbox.next()).id, id);
  assert.equal(rig.wecom.callbacks.receipts[0]?.receipt.kind, 'failed');
});

test('the same message three times is acknowledged each time, empty, and is one', async (t) => {
  const rig = await startRig(t, 'app');
  rig.wecom.people.say(rig.ann, rig.direct, 'hello');
  const { id } = await rig.inbox.next();
  for (const _ of [2, 3]) {
    rig.wecom.redeliver(rig.wecom.pushes.at(-1) ?? assert.fail());
    assert.equal((await rig.inbox.next()).id, id);
  }
  await until(() => rig.wecom.callbacks.receipts.length === 3);
  for (const { receipt } of rig.wecom.callbacks.receipts)
    assert.deepEqual(receipt, { kind: 'taken', answer: undefined });
});

test('a name that is long in coming, for want of a token too, does not cost the five seconds that WeCom waits', async (t) => {
  const rig = await startRig(t, 'app', { starts: false });
  await rig.wecom.register(rig.one, rig.webhook);
  rig.wecom.faults.plan('gettoken', { kind: 'silent', processed: false });
  const began = performance.now();
  rig.wecom.people.say(rig.ann, rig.direct, 'hello');
  const { text, sender } = await rig.inbox.next();
  assert.deepEqual([text, sender.name], ['hello', '']);
  assert.ok(performance.now() - began < 4_000);
  await until(() => rig.wecom.callbacks.receipts.length > 0);
  assert.deepEqual(
    rig.wecom.callbacks.receipts.map(({ receipt }) => receipt.kind),
    ['taken'],
  );
});

test('a name that could not be had is asked for again', async (t) => {
  const rig = await startRig(t, 'app');
  rig.wecom.faults.plan('user/get', { kind: 'raw', status: 502, body: '<html>' });
  for (const name of ['', 'Ann']) {
    rig.wecom.people.say(rig.ann, rig.direct, 'hello');
    assert.equal((await rig.inbox.next()).sender.name, name);
  }
});

test('two messages of one second are two', async (t) => {
  const rig = await startRig(t, 'app');
  for (const text of ['one', 'two']) rig.wecom.people.say(rig.ann, rig.direct, text);
  const ids = [(await rig.inbox.next()).id, (await rig.inbox.next()).id];
  assert.notEqual(ids[0], ids[1]);
});

test('members have the names that WeCom tells, or none: nobody is called by an id', async (t) => {
  const rig = await startRig(t, 'app');
  const bo = rig.wecom.openDirectChat(rig.bo, rig.one);
  rig.wecom.people.say(rig.bo, bo, 'hello');
  assert.equal((await rig.inbox.next()).sender.name, '小波');
  rig.wecom.faults.plan('user/get', { kind: 'refuse', errcode: 60011 });
  rig.wecom.people.say(rig.ann, rig.direct, 'hello');
  assert.equal((await rig.inbox.next()).sender.name, '');
  rig.wecom.people.say(rig.bo, bo, 'again');
  await rig.inbox.next();
  assert.equal(rig.wecom.calls.list('user/get').length, 2);
});

test('a message for another app at this one’s address is left alone', async (t) => {
  const rig = await startRig(t, 'app', { config: { agent_id: '999' }, starts: false });
  await rig.wecom.register(rig.one, rig.webhook);
  rig.wecom.people.say(rig.ann, rig.direct, 'for the other');
  await until(() => rig.wecom.callbacks.receipts.length > 0);
  assert.equal(rig.wecom.callbacks.receipts[0]?.receipt.kind, 'taken');
  assert.equal(rig.inbox.waiting, 0);
});

test('the access token is fetched once for many calls, and kept over a restart', async (t) => {
  const memory = new Map<string, string>();
  const rig = await startRig(t, 'app', { memory });
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => rig.adapter.send(rig.target, { markdown: `m${n}` }, { key: `k${n}` })),
  );
  await rig.adapter.stop();
  await rig.adapter.start();
  assert.equal(rig.wecom.calls.list('gettoken').length, 1);
  assert.ok([...memory.keys()].some((key) => key.startsWith('secret/token:')));
});

test('a corp_secret that is wrong passes for right while the token of the former one lasts', async (t) => {
  const { desk, wecom } = await startRig(t, 'app');
  const probed = (changed: Partial<WecomConfig>) =>
    createAppAdapter({ ...desk.context, config: { ...desk.context.config, ...changed } }).probe();
  assert.deepEqual(await probed({}), { ok: true, identity: 'Antler' });
  assert.equal(wecom.calls.list('gettoken').length, 1);
  assert.match((await probed({ corp_secret: 'another' })).problem ?? '', /corp_secret/);
  assert.match((await probed({ agent_id: '1999999' })).problem ?? '', /agent_id/);
});

test('a token that has expired before its time is fetched anew, once, and the message goes', async (t) => {
  const rig = await startRig(t, 'app');
  assert.ok(rig.one.kind === 'app');
  rig.wecom.expireTokens(rig.one);
  await Promise.all(['a', 'b', 'c'].map((key) => rig.adapter.send(rig.target, { markdown: key }, { key })));
  assert.equal(rig.wecom.calls.list('gettoken').length, 2);
  assert.deepEqual(rig.said(rig.direct).toSorted(), ['a', 'b', 'c']);
});

test('a token that is refused again and again ends in an error, not in a loop', async (t) => {
  const rig = await startRig(t, 'app');
  rig.wecom.faults.plan('message/send', { kind: 'refuse', errcode: 42001 }, Number.POSITIVE_INFINITY);
  await assert.rejects(rig.adapter.send(rig.target, { markdown: 'x' }, { key: 'k' }), { code: 'unauthorized' });
  assert.equal(sends(rig).length, 2);
});

test('WeCom that issues tokens for no time at all is not asked at every call', async (t) => {
  const rig = await startRig(t, 'app', { limits: { tokenSeconds: 0 }, starts: false });
  rig.wecom.faults.plan('message/send', { kind: 'refuse', errcode: 0 }, Number.POSITIVE_INFINITY);
  for (const key of ['a', 'b']) await rig.adapter.send(rig.target, { markdown: key }, { key }).catch(() => {});
  assert.equal(rig.wecom.calls.list('gettoken').length, 1);
});

test('an untrusted address (60020) is named to the admin, and the message waits', async (t) => {
  const rig = await startRig(t, 'app');
  assert.ok(rig.one.kind === 'app');
  rig.one.trustsNobody.now = true;
  await assert.rejects(rig.adapter.send(rig.target, { markdown: 'x' }, { key: 'k' }), (error: AntlerError) => {
    assert.equal(error.code, 'unauthorized'); // which delivery waits for
    assert.match(error.message, /add 203\.0\.113\.7 to the app’s “Trusted IPs”/);
    return true;
  });
  const failing = rig.statuses.at(-1);
  assert.ok(failing?.state === 'failing' && failing.problem.includes('203.0.113.7'));
  rig.one.trustsNobody.now = false;
  await rig.adapter.send(rig.target, { markdown: 'x' }, { key: 'k' });
  assert.equal(rig.statuses.at(-1)?.state, 'connected');
});

test('a member who has left is told of beside a success, and is gone all the same', async (t) => {
  const rig = await startRig(t, 'app');
  await assert.rejects(rig.adapter.send({ chat: 'Nobody', chatKind: 'dm' }, { markdown: 'x' }, { key: 'k' }), {
    code: 'target_gone',
  });
});

test('a member without a license (unlicenseduser) is told of beside a success, and did not get it', async (t) => {
  const rig = await startRig(t, 'app');
  const body = '{"errcode":0,"errmsg":"ok","invaliduser":"","unlicenseduser":"Ann|bo","msgid":"m"}';
  rig.wecom.faults.plan('message/send', { kind: 'raw', status: 200, body });
  await assert.rejects(rig.adapter.send(rig.target, { markdown: 'x' }, { key: 'k' }), { code: 'forbidden' });
});

test('a file to a member who has left (invaliduser) is not taken for sent either', async (t) => {
  const rig = await startRig(t, 'app');
  const content = Buffer.from('hello file');
  const file = { id: 'f' as never, kind: 'file', name: 'a.txt', mime: 'text/plain', bytes: 10, content } as const;
  const target = { chat: 'Nobody', chatKind: 'dm' } as const;
  await assert.rejects(async () => rig.adapter.sendFile?.(target, file, '', { key: 'k' }), { code: 'target_gone' });
});

test('the same delivery twice is seen once; two that say the same are two', async (t) => {
  const rig = await startRig(t, 'app');
  for (const key of ['k1', 'k1', 'k2']) await rig.adapter.send(rig.target, { markdown: 'OK' }, { key });
  assert.deepEqual(rig.said(rig.direct), ['OK', 'OK']);
  for (const body of sends(rig)) {
    assert.equal(field(body, 'enable_duplicate_check'), 1);
    const seconds = Number(field(body, 'duplicate_check_interval'));
    assert.ok(seconds >= 1_800 && seconds <= 14_400);
  }
});

test('a file that is sent twice under one key is seen once, though it is uploaded twice', async (t) => {
  const rig = await startRig(t, 'app');
  const content = Buffer.from('hello file');
  const file = {
    id: 'f' as never,
    kind: 'file',
    name: '周报.txt',
    mime: 'text/plain',
    bytes: content.length,
    content,
  } as const;
  for (const _ of [1, 2]) await rig.adapter.sendFile?.(rig.target, file, 'See', { key: 'f' });
  const shown = rig.wecom.visible(rig.direct);
  assert.deepEqual(
    shown.map((message) => message.file?.name ?? message.text),
    ['See', '周报.txt'],
  );
});

test('WeCom that is slow, busy or broken is told apart from WeCom that may have done it', async (t) => {
  const rig = await startRig(t, 'app');
  const cases = [
    [{ kind: 'refuse', errcode: 45009 }, 'rate_limited'],
    [{ kind: 'refuse', errcode: -1 }, 'unavailable'],
    [{ kind: 'raw', status: 502, body: '<html>' }, 'unavailable'],
    [{ kind: 'raw', status: 504, body: '<html>' }, 'uncertain'],
    [{ kind: 'raw', status: 200, body: '<html>' }, 'uncertain'],
    [{ kind: 'raw', status: 302, body: '' }, 'bad_input'],
    [{ kind: 'drop', processed: false }, 'uncertain'],
    [{ kind: 'refuse', errcode: 81013 }, 'target_gone'],
    [{ kind: 'refuse', errcode: 40058 }, 'format_refused'],
    [{ kind: 'refuse', errcode: 48002 }, 'forbidden'],
    [{ kind: 'refuse', errcode: 99999, errmsg: 'new, hint: [17], from ip: 1.2.3.4' }, 'bad_input'],
  ] as const;
  for (const [fault, code] of cases) {
    rig.wecom.faults.plan('message/send', fault);
    await assert.rejects(rig.adapter.send(rig.target, { markdown: 'x' }, { key: code }), { code });
  }
});

test('a wrong secret rejects the start with a sentence that does not hold it', async (t) => {
  const rig = await startRig(t, 'app', { starts: false, config: { corp_secret: 'quite-wrong' } });
  await assert.rejects(rig.adapter.start(), (error: AntlerError) => {
    assert.equal(error.code, 'unauthorized');
    assert.match(error.message, /corp_secret/);
    assert.doesNotMatch(`${error.message} ${error.stack}`, /quite-wrong/);
    return true;
  });
  assert.equal((await rig.adapter.probe()).ok, false);
});

test('WeCom that cannot be reached does not keep the channel from listening', async (t) => {
  const rig = await startRig(t, 'app', { starts: false });
  rig.wecom.faults.plan('agent/get', { kind: 'raw', status: 502, body: '' });
  await rig.adapter.start();
  assert.equal(rig.statuses.at(-1)?.state, 'connected');
});

test('text for WeChat holds no Markdown', async (t) => {
  const rig = await startRig(t, 'app', { config: { text_format: 'text' } });
  await rig.adapter.send(rig.target, { markdown: '# Hi **you**' }, { key: 'k' });
  assert.equal(textAt(sends(rig)[0], 'msgtype'), 'text');
  assert.deepEqual(rig.said(rig.direct), ['Hi you']);
});

test('a pressed button is shown as pressed', async (t) => {
  const rig = await startRig(t, 'app');
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

test('a press whose card cannot be updated any more, as it came late, counts all the same', async (t) => {
  const rig = await startRig(t, 'app');
  await rig.adapter.send(rig.target, { markdown: 'Shall I?', buttons: [{ label: 'Yes', value: 'yes' }] }, { key: 'b' });
  const message = await rig.wecom.waitFor(rig.direct, ({ card }) => card !== undefined);
  rig.wecom.faults.plan('message/update_template_card', { kind: 'refuse', errcode: 42045 });
  rig.wecom.people.press(rig.ann, message, 'Yes');
  const { kind, text } = await rig.inbox.next();
  assert.deepEqual([kind, text], ['action', 'yes']);
});

test('an app that is opened all the time greets once', async (t) => {
  const rig = await startRig(t, 'app');
  for (const _ of [1, 2, 3]) rig.wecom.people.enter(rig.ann, rig.direct);
  rig.wecom.people.say(rig.ann, rig.direct, 'hello');
  assert.deepEqual([(await rig.inbox.next()).text, (await rig.inbox.next()).text], ['/start', 'hello']);
});

test('a voice comes with what was said and its sound', async (t) => {
  const rig = await startRig(t, 'app');
  rig.wecom.people.speak(rig.ann, rig.direct, 'turn left');
  const { text, files } = await rig.inbox.next();
  assert.equal(text, 'turn left');
  const [file] = files;
  assert.ok(file !== undefined && rig.adapter.fetchFile !== undefined);
  const fetched = await rig.adapter.fetchFile(file, { maxBytes: 1_000, signal: AbortSignal.timeout(5_000) });
  assert.equal(Buffer.from(fetched.content).toString(), '#!AMR\n');
});

test('a page that comes instead of a file is no file, and it may be asked for again', async (t) => {
  const rig = await startRig(t, 'app');
  rig.wecom.people.speak(rig.ann, rig.direct, 'turn left');
  const [file = assert.fail()] = (await rig.inbox.next()).files;
  const options = { maxBytes: 1_000, signal: AbortSignal.timeout(5_000) };
  rig.wecom.faults.plan('media/get', { kind: 'raw', status: 200, body: '<html>Log in to the network</html>' });
  await assert.rejects(async () => rig.adapter.fetchFile?.(file, options), { code: 'unavailable', retryable: true });
  assert.equal((await rig.adapter.fetchFile?.(file, options))?.content.length, 6);
});

test('two replicas share one token: the one whose token was refused takes the newer one of the other', async (t) => {
  const memory = new Map<string, string>();
  const rig = await startRig(t, 'app', { memory });
  assert.ok(rig.one.kind === 'app');
  const { corpId: corp_id, agentId: agent_id, secret: corp_secret } = rig.one;
  const config = { corp_id, agent_id, corp_secret, api_root: rig.wecom.url };
  const other = await startRig(t, 'app', { memory, config });
  rig.wecom.expireTokens(rig.one);
  for (const { adapter } of [rig, other])
    await Promise.all(
      ['a', 'b'].map((key) => adapter.send(rig.target, { markdown: key }, { key: `${key}${adapter === rig.adapter}` })),
    );
  assert.equal(rig.wecom.calls.list('gettoken').length, 2);
  assert.deepEqual(rig.said(rig.direct).toSorted(), ['a', 'a', 'b', 'b']);
});

test('a file that WeCom does not have any more is not found', async (t) => {
  const rig = await startRig(t, 'app');
  const file = { id: 'media:gone', kind: 'file', name: 'a.txt' } as const;
  const options = { maxBytes: 1_000, signal: AbortSignal.timeout(5_000) };
  await assert.rejects(async () => rig.adapter.fetchFile?.(file, options), { code: 'not_found' });
});

test('no token, no secret and nothing that was said is in the log', async (t) => {
  const rig = await startRig(t, 'app');
  assert.ok(rig.one.kind === 'app');
  rig.wecom.people.say(rig.ann, rig.direct, 'a private word');
  await rig.inbox.next();
  rig.wecom.faults.plan('message/send', { kind: 'refuse', errcode: 60020, errmsg: 'from ip: 1.2.3.4' });
  await rig.adapter.send(rig.target, { markdown: 'a private answer' }, { key: 'd' }).catch(() => {});
  const log = JSON.stringify(rig.logged);
  assert.doesNotMatch(log, /private|TOKEN_/);
  assert.ok(!log.includes(rig.one.secret));
});
