import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { inspect } from 'node:util';
import { AntlerError } from '../../src/base/errors.ts';
import type { Adapter } from '../../src/channel/port.ts';
import { type Message, shownText } from '../../src/simulator/slack/index.ts';
import { outputOfProgram } from '../../src/testing/program.ts';
import { type RigOptions, startRig, threadBelow } from './testing/rig.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function rig(options?: RigOptions) {
  const made = await startRig(options);
  closers.push(made.stop);
  return made;
}

test('by Socket Mode, what people say comes in, and answers go out', async () => {
  const { slack, adapter, inbox, ann, bob, dm, channel, app, statuses, target } = await rig();
  await adapter.start();
  slack.people.say(ann, dm, 'hello & <good> day');
  const first = await inbox.next();
  assert.deepEqual(first, {
    channel: 'slack',
    channelType: 'slack',
    tenant: slack.team.id,
    chat: { id: dm.id, kind: 'dm' },
    id: dm.messages[0]?.ts,
    kind: 'message',
    sender: { id: ann.id, name: 'Ann Lee', isBot: false, language: 'en-US' },
    sentAt: first.sentAt,
    text: 'hello & <good> day',
    addressed: 'dm',
    mentions: [],
    files: [],
  });
  const root = slack.people.say(bob, channel, '@antler what is up?');
  const mention = await inbox.next();
  assert.deepEqual(
    [mention.text, mention.addressed, mention.topic, mention.chat, mention.sender.language],
    ['what is up?', 'mention', root.ts, { id: channel.id, kind: 'group', title: 'team' }, 'zh-CN'],
  );
  assert.equal(statuses.at(-1)?.state, 'connected');
  await adapter.send(target, { markdown: 'Hi **Ann**' }, { key: '1' });
  assert.equal(shownText(dm.messages.at(-1) ?? dm.messages[0] ?? assert.fail()), 'Hi **Ann**');
  const { id } = await adapter.send(threadBelow(channel, root), { markdown: 'Fine' }, { key: '2' });
  const answer = channel.messages.find(({ ts }) => ts === id);
  assert.deepEqual([answer?.threadTs, answer?.app === app], [root.ts, true]);
});

test('nothing is acknowledged before it is durable, and a socket keeps up while intake is away', async () => {
  const { slack, adapter, inbox, app, ann, bob, dm, channel } = await rig();
  let isAway = true;
  inbox.refuse = (message) =>
    isAway && message.text === 'first' && new AntlerError('unavailable', 'down', { retryable: true });
  await adapter.start();
  slack.people.say(ann, dm, 'first');
  slack.people.say(ann, dm, 'second');
  slack.people.say(bob, channel, '@antler other');
  assert.equal((await inbox.next()).text, 'other');
  assert.deepEqual(
    app.link.records[0]?.attempts.filter(({ kind }) => kind === 'acknowledged'),
    [],
  );
  isAway = false;
  assert.equal((await inbox.next()).text, 'first');
  assert.equal((await inbox.next()).text, 'second');
  await until(() => app.link.records[0]?.attempts.at(-1)?.kind === 'acknowledged');
});

test('an event that intake always refuses is not acknowledged, and does not hold up its channel for ever', async () => {
  const { slack, adapter, inbox, app, ann, dm } = await rig({ slack: { limits: { ackMs: 300 } } });
  inbox.refuse = (message) => message.text === 'poison' && new AntlerError('internal', 'cannot be stored');
  await adapter.start();
  slack.people.say(ann, dm, 'poison');
  slack.people.say(ann, dm, 'later');
  assert.equal((await inbox.next()).text, 'later');
  await until(() => app.link.records[0]?.attempts.length === 4);
  assert.ok(app.link.records[0]?.attempts.every(({ kind }) => kind === 'failed'));
});

test('what comes again on another socket while it is being stored is acknowledged there too, and taken in once', async () => {
  const { slack, adapter, inbox, app, ann, dm } = await rig({ slack: { limits: { ackMs: 150 } } });
  let isAway = true;
  inbox.refuse = () => isAway && new AntlerError('unavailable', 'down', { retryable: true });
  await adapter.start();
  const [first] = await until(() => app.socket.sockets.length > 0 && app.socket.sockets);
  slack.people.say(ann, dm, 'once');
  app.socket.disconnect('refresh_requested');
  await until(() => app.socket.sockets.some((socket) => socket !== first));
  await until(() => (app.link.records[0]?.attempts.length ?? 0) >= 2);
  isAway = false;
  assert.equal((await inbox.next()).text, 'once');
  await until(() => app.link.records[0]?.attempts.at(-1)?.kind === 'acknowledged');
  slack.people.say(ann, dm, 'next');
  assert.equal((await inbox.next()).text, 'next');
});

test('the socket survives what Slack and the way to it can do', async () => {
  const { slack, adapter, inbox, app, ann, dm, statuses } = await rig();
  await adapter.start();
  const heard = async (text: string): Promise<void> => {
    slack.people.say(ann, dm, text);
    assert.equal((await inbox.next()).text, text);
  };
  await heard('before');
  app.socket.sendRaw('not JSON');
  app.socket.sendRaw('[]');
  app.socket.sendRaw(new Uint8Array([1, 2, 3]));
  app.socket.sendRaw(JSON.stringify({ type: 'brand_new', envelope_id: 'x1', payload: {} }));
  app.socket.sendRaw(JSON.stringify({ type: 'events_api', envelope_id: 'x2', payload: { type: 'app_rate_limited' } }));
  app.socket.sendRaw(JSON.stringify({ type: 'events_api', envelope_id: 'x3' }));
  await heard('after nonsense');
  await until(() => ['x1', 'x2', 'x3'].every((id) => app.socket.acknowledged.includes(id)));
  app.socket.disconnect('refresh_requested');
  await heard('after a refresh');
  app.socket.disconnect('warning');
  await heard('after a warning');
  await until(() => app.socket.sockets.length === 1);
  app.socket.drop();
  await heard('after a break');
  app.socket.disconnect('too_many_websockets');
  await heard('after a crowd');
  slack.faults.plan('socket', { kind: 'raw', status: 503, body: '' });
  slack.faults.plan('apps.connections.open', { kind: 'raw', status: 200, body: '<html>' });
  slack.faults.plan('apps.connections.open', { kind: 'limit', retryAfter: 3 });
  slack.faults.plan('apps.connections.open', { kind: 'refuse', error: 'internal_error' });
  slack.dropConnections();
  await heard('after an outage');
  app.socket.disconnect('link_disabled');
  await heard('after it was switched on again');
  const problems = statuses.flatMap((status) => ('problem' in status ? [status.problem] : []));
  assert.ok(problems.some((problem) => problem.includes('switched off')));
  assert.equal(statuses.at(-1)?.state, 'connected');
});

test('a socket whose other side is gone without a word is given up', { timeout: 20_000 }, async () => {
  const { slack, adapter, inbox, app, ann, dm } = await rig({
    slack: { limits: { ackMs: 500, retryDelaysMs: [100, 2_000, 4_000] } },
  });
  await adapter.start();
  slack.people.say(ann, dm, 'one');
  await inbox.next();
  const [socket] = app.socket.sockets;
  assert.ok(socket !== undefined);
  socket.answersPings = false;
  await until(() => app.socket.sockets.some((other) => other !== socket), 15_000);
});

test('a wrong token is refused at start; no token is in any error or log line', async () => {
  const { adapter, logged, app } = await rig({ config: { bot_token: 'xoxb-not-the-right-token' } });
  const refused = await adapter.start().then(
    () => assert.fail('started'),
    (error: unknown) => error,
  );
  assert.ok(refused instanceof AntlerError);
  assert.equal(refused.code, 'unauthorized');
  const health = await adapter.probe();
  assert.match(health.problem ?? '', /OAuth & Permissions/);
  const told = inspect([logged, health, refused.message, refused.stack, refused.cause], { depth: 9 });
  assert.ok(!told.includes('not-the-right-token') && !told.includes(app.appToken));
});

test('when the app is uninstalled, the channel says so and what to do', async () => {
  const { slack, adapter, app, statuses, inbox, ann, dm } = await rig();
  const token = app.botToken;
  await adapter.start();
  await until(() => statuses.at(-1)?.state === 'connected');
  // A person's own token, or another workspace of the organisation.
  slack.inject(app, { type: 'tokens_revoked', tokens: { oauth: ['U1'] } });
  slack.people.say(ann, dm, 'still there?');
  await inbox.next();
  assert.equal(statuses.at(-1)?.state, 'connected');
  slack.uninstall(app);
  const failing = await until(() => statuses.find(({ state }) => state === 'failing'));
  assert.match('problem' in failing ? failing.problem : '', /uninstalled.*install it again/);
  // The connection is opened by another token, and works on.
  app.socket.disconnect('refresh_requested');
  await until(() => app.socket.sockets.length === 1);
  await until(() => statuses.filter(({ state }) => state === 'failing').length >= 2);
  app.botToken = token;
  slack.people.say(ann, dm, 'welcome back');
  assert.equal((await inbox.next()).text, 'welcome back');
  assert.equal(statuses.at(-1)?.state, 'connected');
});

test('probe proves both tokens and names what is missing', async () => {
  const good = await rig();
  assert.deepEqual(await good.adapter.probe(), { ok: true, identity: '@antler (Antler Works)' });
  const wrongApp = await rig({ config: { app_token: 'xapp-1-wrong' } });
  assert.match((await wrongApp.adapter.probe()).problem ?? '', /app_token/);
  await wrongApp.adapter.start();
  await until(() => wrongApp.statuses.some((status) => 'problem' in status && /app_token/.test(status.problem)));
  const poor = await rig({ scopes: ['chat:write', 'im:history'] });
  assert.match((await poor.adapter.probe()).problem ?? '', /app_mentions:read/);
});

test('Slack being away at start does not stop the channel', async () => {
  const { slack, adapter, inbox, ann, dm } = await rig();
  slack.faults.plan('auth.test', { kind: 'raw', status: 503, body: 'no' }, 2);
  await adapter.start();
  slack.people.say(ann, dm, 'hello');
  assert.equal((await inbox.next()).text, 'hello');
});

test('a message is read although names cannot be looked up', async () => {
  const { slack, adapter, inbox, ann, bob, dm } = await rig();
  slack.faults.plan('users.info', { kind: 'refuse', error: 'user_not_found' });
  slack.faults.plan('users.info', { kind: 'raw', status: 200, body: '{"ok":true,"user":{"id":"x"}}' });
  await adapter.start();
  slack.people.say(ann, dm, 'ask @bob');
  const message = await inbox.next();
  // Somebody has no name then; a mention in a sentence has to be called something.
  assert.deepEqual([message.sender.name, message.mentions[0]?.name], ['', bob.id]);
});

test('in a thread that the bot spoke in, nobody has to mention it again', async () => {
  const { slack, adapter, inbox, ann, bob, channel, replica } = await rig();
  await adapter.start();
  const root = slack.people.say(ann, channel, '@antler plan the party');
  await inbox.next();
  slack.people.say(ann, channel, 'not yet', { thread: root });
  assert.equal((await inbox.next()).addressed, 'none');
  const other = await replica();
  await other.send(threadBelow(channel, root), { markdown: 'Sure' }, { key: '1' });
  slack.people.say(bob, channel, 'and the cake?', { thread: root });
  const reply = await inbox.next();
  assert.deepEqual([reply.addressed, reply.topic, reply.text], ['topic-participant', root.ts, 'and the cake?']);
  slack.people.say(bob, channel, 'as @ann said', { thread: root });
  assert.equal((await inbox.next()).addressed, 'topic-participant');
  slack.people.say(bob, channel, '@ann you too?', { thread: root });
  assert.equal((await inbox.next()).addressed, 'none');
  slack.people.say(bob, channel, 'elsewhere');
  assert.equal((await inbox.next()).addressed, 'none');
});

const readBefore = async (adapter: Adapter, { channel, ts, threadTs }: Message, limit: number) => {
  const before = { id: ts, sentAt: Date.now() };
  const target = { chat: channel.id, topic: threadTs ?? ts };
  return (await adapter.earlier?.(target, { before, limit, signal: AbortSignal.timeout(5_000) })) ?? [];
};

test('what was said in a thread before is read, with its beginning, names, files by name and the bot’s own words', async () => {
  const { slack, adapter, app, ann, bob } = await rig();
  const channel = slack.addChannel({ name: 'busy', members: [ann, bob, app.user] });
  const log = slack.addFile({ name: 'log.txt', mimetype: 'text/plain', bytes: new Uint8Array([1]), by: ann });
  const root = slack.people.say(ann, channel, 'the build is red', { files: [log] });
  for (let n = 1; n <= 1_100; n++) slack.people.say(bob, channel, `guess ${n}`, { thread: root });
  await adapter.send(threadBelow(channel, root), { markdown: 'Looking' }, { key: '1' });
  slack.people.say(bob, channel, 'ask @ann', { thread: root });
  const call = slack.people.say(bob, channel, '@antler look into this', { thread: root });
  slack.people.say(bob, channel, 'hurry', { thread: root });
  const earlier = await readBefore(adapter, call, 4);
  assert.deepEqual(
    earlier.map(({ name, fromBot, text }) => [fromBot ? 'bot' : name, text]),
    [
      ['Ann Lee', 'the build is red\n[file: log.txt]'],
      ['Bob', 'guess 1100'],
      ['bot', 'Looking'],
      ['Bob', 'ask @Ann Lee'],
    ],
  );
  assert.deepEqual([earlier[0]?.id, earlier[0]?.at], [root.ts, Math.round(Number(root.ts) * 1_000)]);
  slack.faults.plan('conversations.replies', { kind: 'refuse', error: 'missing_scope' });
  await assert.rejects(readBefore(adapter, call, 4));
});

test('what was said in a channel before is read without what is said in its threads', async () => {
  const { slack, adapter, ann, bob, channel } = await rig();
  const root = slack.people.say(ann, channel, 'one');
  slack.people.say(bob, channel, 'elsewhere', { thread: root });
  for (const text of ['two', 'three']) slack.people.say(bob, channel, text);
  const call = slack.people.say(ann, channel, '@antler sum up');
  slack.people.say(bob, channel, 'later');
  const options = { before: { id: call.ts, sentAt: Date.now() }, limit: 2, signal: AbortSignal.timeout(5_000) };
  const earlier = (await adapter.earlier?.({ chat: channel.id }, options)) ?? [];
  assert.deepEqual(
    earlier.map(({ text }) => text),
    ['two', 'three'],
  );
});

test('the user groups of a person are known, and changes to them at once', async () => {
  const { slack, adapter, inbox, clock, ann, bob, dm } = await rig();
  const ops = slack.addGroup('ops', [ann]);
  const team = slack.addGroup('team', [ann, bob]);
  assert.deepEqual(await Promise.all([adapter.groupsOf?.(ann.id), adapter.groupsOf?.(bob.id)]), [
    [ops.id, team.id],
    [team.id],
  ]);
  assert.deepEqual([await adapter.groupsOf?.('U0STRANGER'), slack.calls.list('usergroups.list').length], [[], 1]);
  await adapter.start();
  slack.people.say(ann, dm, 'connected?');
  await inbox.next();
  slack.people.regroup(ops, [bob]);
  slack.people.say(ann, dm, 'they have told');
  await inbox.next();
  assert.deepEqual(await Promise.all([adapter.groupsOf?.(ann.id), adapter.groupsOf?.(bob.id)]), [
    [team.id],
    [ops.id, team.id],
  ]);
  clock.skipMs = 3_600_000;
  slack.faults.plan('usergroups.list', { kind: 'refuse', error: 'missing_scope' });
  await assert.rejects(adapter.groupsOf?.(bob.id) ?? assert.fail());
});

test('stop leaves nothing behind, and the adapter can start again', async () => {
  const { slack, adapter, inbox, app, ann, dm } = await rig();
  for (const text of ['one', 'two']) {
    await adapter.start();
    slack.people.say(ann, dm, text);
    assert.equal((await inbox.next()).text, text);
    const before = performance.now();
    await adapter.stop();
    assert.ok(performance.now() - before < 1_000);
    await until(() => app.socket.sockets.length === 0);
  }
  slack.faults.plan('apps.connections.open', { kind: 'hang' });
  await adapter.start();
  await slack.calls.waitFor('apps.connections.open', 3);
  await adapter.stop();
});

for (const greets of [true, false]) {
  const when = greets ? 'it was connected' : 'Slack never said hello';
  test(`after stop, the process has nothing left to do: ${when}`, { timeout: 40_000 }, async () => {
    const { slack, app } = await rig();
    if (!greets) slack.faults.plan('socket', { kind: 'hang' }, Infinity);
    const settings = { bot_token: app.botToken, app_token: app.appToken, api_root: slack.url };
    const from = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const script = `
      const { slack } = await import(${from('./index.ts')});
      const { silentLogger } = await import(${from('../../src/base/logger.ts')});
      const { systemClock } = await import(${from('../../src/base/clock.ts')});
      const connected = Promise.withResolvers();
      const report = ({ state }) => state === 'connected' && connected.resolve();
      const config = slack.config.parse(${JSON.stringify(settings)});
      const adapter = await slack.create({ channel: 's', config, log: silentLogger, clock: systemClock, report, state: {} });
      await adapter.start();
      await ${greets ? 'connected.promise' : 'systemClock.sleep(1_000)'};
      await adapter.stop();
      console.log(Date.now());
    `;
    const stoppedAt = Number(await outputOfProgram(script));
    assert.ok(Date.now() - stoppedAt < 5_000, 'it went on living after it had stopped');
  });
}

/** Asks until there is an answer that is neither false nor undefined. */
async function until<T>(
  ask: () => T | false | undefined | Promise<T | false | undefined>,
  timeoutMs = 5_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    assert.ok(performance.now() < end, 'it did not come to pass in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
