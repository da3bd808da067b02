import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { afterEach, test } from 'node:test';
import { AntlerError } from '../../src/base/errors.ts';
import { type RigOptions, startRig } from './testing/rig.ts';

const rigs: Awaited<ReturnType<typeof startRig>>[] = [];
async function rig(options: RigOptions = {}) {
  const made = await startRig(options);
  rigs.push(made);
  return made;
}
afterEach(async () => {
  for (const made of rigs.splice(0)) await made.stop();
});

const SEND = 'POST /im/v1/messages';
const soon = { limits: { retryMs: [20, 20, 20, 20], ackMs: 300 } };

test('a message comes in by the long connection, and the answer goes out', async () => {
  const { feishu, adapter, inbox, ann, direct, app } = await rig();
  await adapter.start();
  feishu.people.say(ann, direct, 'hello');
  const message = await inbox.next();
  assert.equal(message.text, 'hello');
  assert.equal(message.addressed, 'dm');
  assert.equal(message.sender.name, 'Ann');
  const target = { chat: message.chat.id, chatKind: 'dm' as const };
  const { id } = await adapter.send(target, { markdown: 'Hi Ann' }, { key: '1' });
  const sent = feishu.visible(direct).at(-1);
  assert.equal(sent?.id, id);
  assert.equal(sent?.from, app);
  assert.equal(sent?.type, 'text');
  assert.ok(sent !== undefined && feishu.text(sent) === 'Hi Ann');
});

test('groups have titles, people names, and who calls the bot has its name cut', async () => {
  const { feishu, adapter, inbox, ann, bob, group } = await rig();
  await adapter.start();
  feishu.people.say(ann, group, '@Antler ask @Bob');
  const message = await inbox.next();
  assert.deepEqual([message.text, message.addressed, message.chat.title], ['ask @Bob', 'mention', 'Team']);
  assert.deepEqual(message.mentions, [{ id: bob.openId, name: 'Bob' }]);
  feishu.people.say(bob, group, 'again');
  assert.equal((await inbox.next()).sender.name, 'Bob');
  assert.equal(feishu.calls.list('GET /contact/v3/users/:id').length, 1, 'Bob’s name came with the mention');
});

test('a reply brings what it answers; to the bot’s own message it is one to the bot', async () => {
  const { feishu, adapter, inbox, ann, bob, group, inGroup } = await rig();
  await adapter.start();
  const plan = feishu.people.say(bob, group, 'the plan');
  await inbox.next();
  feishu.people.say(ann, group, '@Antler is it ok?', { replyTo: plan });
  const { quote, topic } = await inbox.next();
  assert.deepEqual(quote, { messageId: plan.id, author: 'Bob', fromBot: false, text: 'the plan', files: [] });
  assert.equal(topic, undefined);
  const { id } = await adapter.send(inGroup, { markdown: 'I think so' }, { key: '1' });
  const own = feishu.visible(group).find((message) => message.id === id);
  assert.ok(own !== undefined);
  feishu.people.say(bob, group, 'why?', { replyTo: own });
  const reply = await inbox.next();
  assert.deepEqual([reply.addressed, reply.quote?.fromBot, reply.quote?.text], ['reply', true, 'I think so']);
  feishu.people.recall(bob, plan);
  await inbox.next();
  feishu.people.say(ann, group, 'never mind', { replyTo: plan });
  const late = await inbox.next();
  assert.deepEqual([late.quote, late.text, late.addressed], [undefined, 'never mind', 'none']);
});

test('the platform being slow with names and quotes holds nothing up', async () => {
  const { feishu, adapter, inbox, ann, bob, group } = await rig();
  await adapter.start();
  const plan = feishu.people.say(bob, group, 'the plan');
  await inbox.next();
  feishu.faults.plan('GET /im/v1/messages/:id', { kind: 'hang' });
  feishu.faults.plan('GET /contact/v3/users/:id', { kind: 'hang' });
  const before = performance.now();
  feishu.people.say(ann, group, '@Antler ok?', { replyTo: plan });
  const message = await inbox.next();
  assert.ok(performance.now() - before < 2_500);
  assert.deepEqual([message.text, message.sender.name, message.quote], ['ok?', ann.openId, undefined]);
});

test('a merged forward reads as what was said in it, with depth and length bounded', async () => {
  const { feishu, adapter, inbox, ann, bob, direct, group } = await rig();
  const first = feishu.people.say(bob, group, 'lunch?');
  const second = feishu.people.say(ann, group, 'at one');
  await adapter.start();
  await inbox.next();
  await inbox.next();
  feishu.people.send(ann, direct, 'merge_forward', 'Merged and Forwarded Message', { children: [first, second] });
  assert.equal((await inbox.next()).text, '[forwarded messages]\nBob: lunch?\nAnn: at one');
});

test('topics: the bot takes part in those it has answered in, and sends into them', async () => {
  const { feishu, adapter, replica, inbox, ann, bob, app } = await rig();
  const forum = feishu.addGroup({ title: 'Forum', users: [ann, bob], apps: [app], topics: true });
  await adapter.start();
  const root = feishu.people.say(ann, forum, '@Antler open this');
  const question = await inbox.next();
  assert.equal(question.topic, root.threadId);
  const target = { chat: forum.id, chatKind: 'group' as const, topic: String(question.topic) };
  await adapter.send({ ...target, replyTo: question.id }, { markdown: 'one' }, { key: '1' });
  await adapter.send(target, { markdown: 'two' }, { key: '2' });
  assert.deepEqual(
    feishu.visible(forum).map((message) => [feishu.text(message), message.threadId]),
    ['@Antler open this', 'one', 'two'].map((text) => [text, root.threadId]),
  );
  feishu.people.say(bob, forum, 'go on', { replyTo: root });
  const next = await inbox.next();
  assert.deepEqual([next.addressed, next.quote], ['topic-participant', undefined]);
  const other = await replica();
  await other.send(target, { markdown: 'three' }, { key: '3' });
  assert.equal(feishu.visible(forum).at(-1)?.threadId, root.threadId);
  await other.stop();
  feishu.people.say(bob, forum, 'another topic');
  assert.equal((await inbox.next()).addressed, 'none');
});

test('an answer whose question was recalled comes anyway, without it and once', async () => {
  const { feishu, adapter, ann, group, inGroup } = await rig();
  const question = feishu.people.say(ann, group, '@Antler?');
  feishu.people.recall(ann, question);
  await adapter.send({ ...inGroup, replyTo: question.id }, { markdown: 'late' }, { key: '1' });
  const shown = feishu.visible(group);
  assert.deepEqual([shown.length, shown[0]?.parentId], [1, undefined]);
});

test('a recall says whose message of which topic it was, also after a restart', async () => {
  const { feishu, adapter, inbox, ann, direct, group } = await rig({ feishu: soon });
  await adapter.start();
  const first = feishu.people.say(ann, direct, 'secret');
  await inbox.next();
  feishu.people.recall(ann, first);
  const recall = await inbox.next();
  assert.deepEqual(
    [recall.kind, recall.id, recall.chat.kind, recall.sender.id],
    ['recall', first.id, 'dm', ann.openId],
  );
  await adapter.stop();
  const second = feishu.people.say(ann, group, 'also');
  feishu.people.recall(ann, second);
  await adapter.start();
  const told = new Set<string>();
  // The first recall may come once more: the connection may have ended before it was acknowledged.
  while (!told.has('message group') || !told.has('recall group')) {
    const { kind, chat } = await inbox.next();
    told.add(`${kind} ${chat.kind}`);
  }
});

test('buttons come back with their value, place and person, and are answered at once', async () => {
  const { feishu, adapter, inbox, ann, direct, group, target, inGroup, connected } = await rig();
  await adapter.start();
  const long = `approve ${'谢'.repeat(200)}`;
  const buttons = [
    { label: 'Yes', value: 'yes' },
    { label: 'Long', value: long },
  ];
  await adapter.send(target, { markdown: 'Sure?', buttons }, { key: '1' });
  await adapter.send({ ...inGroup, topic: 'omt_unknown' }, { markdown: 'Sure?', buttons }, { key: '2' });
  const inDirect = feishu.visible(direct).at(-1);
  const inTeam = feishu.visible(group).at(-1);
  assert.ok(inDirect !== undefined && inTeam !== undefined);
  assert.equal(feishu.text(inDirect), 'Sure?\n[Yes]\n[Long]');
  await connected();
  assert.deepEqual(await feishu.people.press(ann, inDirect, 'Long'), { kind: 'taken', answer: {} });
  const press = await inbox.next();
  assert.deepEqual([press.kind, press.text, press.chat.kind, press.addressed], ['action', long, 'dm', 'dm']);
  assert.deepEqual([press.sender.name, press.quote?.messageId], ['Ann', inDirect.id]);
  await feishu.people.press(ann, inTeam, 'Yes');
  const other = await inbox.next();
  assert.deepEqual([other.text, other.chat.kind, other.topic], ['yes', 'group', 'omt_unknown']);
  await feishu.people.act(ann, inDirect, { tag: 'button', value: { foo: 1 } });
  const foreign = await inbox.next();
  assert.deepEqual([foreign.text, foreign.chat.kind], ['{"foo":1}', 'dm']);
});

test('the menu is a command in the direct chat', async () => {
  const { feishu, adapter, inbox, app, ann, direct } = await rig();
  await adapter.start();
  feishu.people.say(ann, direct, 'hi');
  await inbox.next();
  feishu.people.chooseMenu(ann, app, 'new');
  const { text, chat, sender } = await inbox.next();
  assert.deepEqual([text, chat.id, sender.id], ['/new', direct.id, ann.openId]);
});

test('comings, goings and reactions of people are told; the bot’s own reaction is not', async () => {
  const { feishu, adapter, inbox, app, ann, direct, group, inGroup } = await rig();
  await adapter.start();
  feishu.people.removeBot(ann, group, app);
  feishu.people.addBot(ann, group, app);
  const [left, joined] = [await inbox.next(), await inbox.next()].sort((a, b) => b.kind.localeCompare(a.kind));
  assert.deepEqual([left?.kind, joined?.kind, joined?.sender.name], ['left', 'joined', 'Ann']);
  const { id } = await adapter.send(inGroup, { markdown: 'hi' }, { key: '1' });
  const sent = feishu.visible(group).find((message) => message.id === id) ?? assert.fail();
  feishu.people.react(ann, sent, 'THUMBSUP');
  const reaction = await inbox.next();
  assert.deepEqual(
    [reaction.kind, reaction.text, reaction.chat.id, reaction.quote?.fromBot],
    ['reaction', 'THUMBSUP', group.id, true],
  );
  feishu.people.say(ann, direct, 'hello');
  const { chat, id: question } = await inbox.next();
  await adapter.typing?.({ chat: chat.id, chatKind: 'dm', replyTo: question });
  feishu.people.say(ann, direct, 'next');
  assert.equal((await inbox.next()).text, 'next');
});

test('while the bot works, the question carries a reaction; the answer takes it away', async () => {
  const { feishu, adapter, inbox, ann, direct, group, target, inGroup } = await rig();
  await adapter.start();
  const question = feishu.people.say(ann, direct, 'hello');
  await inbox.next();
  await adapter.typing?.(target);
  await adapter.typing?.(target);
  assert.deepEqual(
    question.reactions.map(({ emoji }) => emoji),
    ['Typing'],
  );
  await adapter.send(target, { markdown: 'hi' }, { key: '1' });
  await feishu.calls.waitFor('DELETE /im/v1/messages/:id/reactions/:id', 1);
  assert.deepEqual(question.reactions, []);
  const other = feishu.people.say(ann, group, '@Antler hello');
  await adapter.typing?.({ ...inGroup, replyTo: other.id });
  await adapter.typing?.({ chat: 'oc_unknown', chatKind: 'dm' });
  assert.equal(other.reactions.length, 1);
  await adapter.stop();
  assert.deepEqual(other.reactions, []);
});

test('a growing answer streams in one card and ends whole, closed and summarised', async () => {
  const { feishu, adapter, direct, target } = await rig();
  const draft = { key: 's:0', draft: true };
  const { id } = await adapter.send(target, { markdown: 'one **tw' }, draft);
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.equal(feishu.text(message), 'one **tw**');
  assert.notEqual(message.card?.streamingSince, undefined);
  for (const markdown of ['one **two**', 'one **two** three']) await adapter.edit?.(target, id, { markdown }, draft);
  await adapter.edit?.(target, id, { markdown: 'one **two** three `four`' }, { key: 'd1' });
  assert.deepEqual(message.history, ['one **tw**', 'one **two**', 'one **two** three', 'one **two** three `four`']);
  assert.equal(message.card?.streamingSince, undefined);
  assert.deepEqual(message.card?.json.config?.summary, { content: 'one two three four' });
  const sequences = feishu.calls
    .list('PUT /cardkit/v1/cards/:id/elements/:id/content')
    .map(({ body }) => Number(body.sequence));
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(sequences).size, sequences.length);
  await adapter.edit?.(
    target,
    id,
    { markdown: 'changed later', buttons: [{ label: 'Ok', value: 'ok' }] },
    { key: 'd2' },
  );
  assert.equal(feishu.text(message), 'changed later\n[Ok]');
});

test('another replica finishes what one has begun to stream', async () => {
  const { feishu, adapter, replica, direct, target } = await rig();
  const { id } = await adapter.send(target, { markdown: 'half' }, { key: 's:0', draft: true });
  for (const markdown of ['half a', 'half an', 'half an ans'])
    await adapter.edit?.(target, id, { markdown }, { key: 's:0', draft: true });
  const other = await replica();
  await other.edit?.(target, id, { markdown: 'the whole answer' }, { key: 'd' });
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.deepEqual([feishu.text(message), message.card?.streamingSince], ['the whole answer', undefined]);
  await other.stop();
});

test('another replica’s clock may be behind', async () => {
  let behind = 0;
  const { feishu, adapter, replica, direct, target } = await rig({ ahead: () => -behind });
  const { id } = await adapter.send(target, { markdown: 'half' }, { key: 's:0', draft: true });
  await adapter.edit?.(target, id, { markdown: 'half an' }, { key: 's:0', draft: true });
  behind = 20_000;
  const other = await replica();
  await other.edit?.(target, id, { markdown: 'the whole answer' }, { key: 'd' });
  assert.equal(feishu.text(feishu.visible(direct).at(-1) ?? assert.fail()), 'the whole answer');
  await other.stop();
});

test('after ten minutes a card streams no more; it goes on growing and ends whole', async () => {
  const { feishu, adapter, direct, target } = await rig({ feishu: { limits: { streamingMs: -1 } } });
  const draft = { key: 's:0', draft: true };
  const { id } = await adapter.send(target, { markdown: 'one' }, draft);
  await adapter.edit?.(target, id, { markdown: 'one two' }, draft);
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.equal(feishu.text(message), 'one two');
  await adapter.edit?.(target, id, { markdown: 'one two three' }, { key: 'd' });
  assert.equal(feishu.text(message), 'one two three');
  assert.equal(feishu.visible(direct).length, 1);
});

test('without the scope of CardKit, answers grow by edits of a plain card', async () => {
  const { feishu, adapter, app, direct, target } = await rig();
  app.lacks.add('cardkit:card:write');
  const draft = { key: 's:0', draft: true };
  for (const round of ['a', 'b']) {
    const { id } = await adapter.send(target, { markdown: 'one' }, { ...draft, key: round });
    for (let stand = 0; stand < 30; stand++) await adapter.edit?.(target, id, { markdown: `one ${stand}` }, draft);
    await adapter.edit?.(target, id, { markdown: 'done' }, { key: `d${round}` });
    const message = feishu.visible(direct).at(-1) ?? assert.fail();
    assert.equal(feishu.text(message), 'done');
    assert.equal(message.card?.json.config?.streaming_mode, false);
  }
  assert.equal(feishu.calls.list('POST /cardkit/v1/cards/id_convert').length, 1);
});

test('a streamed card that is gone is taken away, so that the answer can be sent anew', async () => {
  const { feishu, adapter, direct, target } = await rig();
  const { id } = await adapter.send(target, { markdown: 'half' }, { key: 's:0', draft: true });
  await adapter.edit?.(target, id, { markdown: 'half an' }, { key: 's:0', draft: true });
  feishu.faults.plan('PUT /cardkit/v1/cards/:id/elements/:id/content', { kind: 'refuse', code: 200750 });
  await assert.rejects(async () => adapter.edit?.(target, id, { markdown: 'whole' }, { key: 'd' }), {
    code: 'target_gone',
  });
  assert.deepEqual(feishu.visible(direct), []);
});

test('refused formatting can be shown plainly, in new messages and in streamed ones', async () => {
  const { feishu, adapter, direct, target } = await rig();
  const tables = Array.from({ length: 6 }, () => '| a |\n|---|\n| b |').join('\n\n');
  await assert.rejects(adapter.send(target, { markdown: tables }, { key: '1' }), { code: 'format_refused' });
  await adapter.send(target, { markdown: tables }, { key: '1', plain: true });
  assert.equal(feishu.visible(direct).at(-1)?.type, 'text');
  const { id } = await adapter.send(target, { markdown: '**a**' }, { key: '2', draft: true });
  await assert.rejects(async () => adapter.edit?.(target, id, { markdown: tables }, { key: 'd' }), {
    code: 'format_refused',
  });
  await adapter.edit?.(target, id, { markdown: '**b**' }, { key: 'd', plain: true });
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.deepEqual([feishu.text(message), message.card?.streamingSince], ['b', undefined]);
});

test('texts and rich texts are edited as such, until Feishu takes no more edits', async () => {
  const { feishu, adapter, replica, direct, target } = await rig();
  const { id } = await adapter.send(target, { markdown: 'one' }, { key: '1' });
  await adapter.edit?.(target, id, { markdown: 'two **bold**' }, { key: '2' });
  const other = await replica();
  await other.edit?.(target, id, { markdown: 'three' }, { key: '3' });
  await other.stop();
  const message = feishu.visible(direct).at(-1) ?? assert.fail();
  assert.deepEqual(message.history, ['one', 'two bold', 'three']);
  for (let edit = 2; edit < 20; edit++)
    await adapter.edit?.(target, id, { markdown: `edit ${edit}` }, { key: `${edit}` });
  await assert.rejects(async () => adapter.edit?.(target, id, { markdown: 'last' }, { key: 'x' }), {
    code: 'target_gone',
  });
  await adapter.delete?.(target, id);
  await adapter.delete?.(target, id);
});

test('the same key sends once', async () => {
  const { feishu, adapter, direct, target } = await rig();
  feishu.faults.plan(SEND, { kind: 'drop', processed: true });
  await assert.rejects(adapter.send(target, { markdown: 'hi' }, { key: 'k'.repeat(200) }), { code: 'uncertain' });
  const { id } = await adapter.send(target, { markdown: 'hi' }, { key: 'k'.repeat(200) });
  assert.deepEqual(
    feishu.visible(direct).map((message) => message.id),
    [id],
  );
});

for (const refusalStatus of [200, 400] as const) {
  test(`a failed send says what is known, refusals coming with HTTP ${refusalStatus}`, async () => {
    const { feishu, adapter, target } = await rig({ feishu: { refusalStatus } });
    const send = () => adapter.send(target, { markdown: 'hi' }, { key: '1' });
    const codes: [Parameters<typeof feishu.faults.plan>[1], string][] = [
      [{ kind: 'drop', processed: false }, 'uncertain'],
      [{ kind: 'raw', status: 200, body: '<html>' }, 'uncertain'],
      [{ kind: 'raw', status: 502, body: '<html>' }, 'unavailable'],
      [{ kind: 'refuse', code: 230002 }, 'target_gone'],
      [{ kind: 'refuse', code: 230013 }, 'forbidden'],
      [{ kind: 'refuse', code: 230020 }, 'rate_limited'],
      [{ kind: 'refuse', code: 230025 }, 'too_large'],
    ];
    for (const [fault, code] of codes) {
      feishu.faults.plan(SEND, fault);
      await assert.rejects(send, { code });
    }
    feishu.faults.plan(SEND, { kind: 'refuse', code: 99991400, status: 429, resetSeconds: 7 });
    await assert.rejects(send, { code: 'rate_limited', retryable: true, retryAfterMs: 7_000 });
    await assert.rejects(adapter.send({ chat: 'oc_none', chatKind: 'group' }, { markdown: 'x' }, { key: '2' }), {
      code: 'target_gone',
    });
  });
}

test('one token for many calls at once; a revoked one is replaced', async () => {
  const { feishu, adapter, app, direct, target } = await rig();
  const send = (key: string) => adapter.send(target, { markdown: key }, { key });
  await Promise.all(['1', '2', '3', '4'].map(send));
  const TOKEN = 'POST /auth/v3/tenant_access_token/internal';
  assert.equal(feishu.calls.list(TOKEN).length, 1);
  feishu.revokeTokens(app);
  await send('5');
  assert.equal(feishu.calls.list(TOKEN).length, 2);
  assert.equal(feishu.visible(direct).length, 5);
});

test('a wrong secret is refused at start; the secret is in no error and no log line', async () => {
  const secret = 'not-the-right-secret';
  const { adapter, logged } = await rig({ config: { app_secret: secret } });
  const refused = await adapter.start().then(
    () => assert.fail('started'),
    (error: unknown) => error,
  );
  assert.ok(refused instanceof AntlerError);
  assert.equal(refused.code, 'unauthorized');
  const health = await adapter.probe();
  assert.match(health.problem ?? '', /App Secret/);
  assert.ok(!JSON.stringify([logged, health, refused.message, refused.stack, refused.cause]).includes(secret));
});

test('who the bot is', async () => {
  const { adapter } = await rig();
  assert.deepEqual(await adapter.probe(), { ok: true, identity: '@Antler' });
});

test('the connection comes back whatever the platform does to it, and says what is wrong', async () => {
  const ENDPOINT = 'POST /callback/ws/endpoint';
  const { feishu, adapter, inbox, statuses, ann, direct, connected } = await rig({ feishu: soon });
  feishu.faults.plan(ENDPOINT, { kind: 'refuse', code: 1, status: 200 });
  feishu.faults.plan(ENDPOINT, { kind: 'refuse', code: 1000040350, status: 200 });
  feishu.faults.plan(ENDPOINT, { kind: 'refuse', code: 514, status: 200 });
  feishu.faults.plan(ENDPOINT, { kind: 'raw', status: 500, body: 'x' });
  feishu.faults.plan(ENDPOINT, { kind: 'raw', status: 200, body: '{"code":0,"data":{}}' });
  feishu.faults.plan(ENDPOINT, {
    kind: 'raw',
    status: 200,
    body: `{"code":0,"data":{"URL":"${feishu.url.replace('http', 'ws')}/ws/v2?ticket=none","ClientConfig":{"PingInterval":1,"ReconnectNonce":30}}}`,
  });
  await adapter.start();
  await connected();
  feishu.people.say(ann, direct, 'one');
  assert.equal((await inbox.next()).text, 'one');
  feishu.connections.dropAll();
  feishu.people.say(ann, direct, 'two');
  assert.equal((await inbox.next()).text, 'two');
  const problems = statuses.flatMap((status) => ('problem' in status ? [status.problem] : []));
  assert.equal(problems.length, 7);
  for (const [index, words] of [/busy/, /too many/, /App Secret/, /500/, /busy/, /handshake/, /lost/].entries()) {
    assert.match(problems[index] ?? '', words);
  }
  assert.equal(statuses.at(-1)?.state, 'connected');
});

test('a connection that no longer answers pings is replaced', { timeout: 30_000 }, async () => {
  const { feishu, adapter, inbox, ann, direct, connected } = await rig({ feishu: soon });
  feishu.mischief.deaf = true;
  await adapter.start();
  await connected();
  await feishu.calls.waitFor('POST /callback/ws/endpoint', 2, 20_000);
  feishu.mischief.deaf = false;
  feishu.people.say(ann, direct, 'there?');
  assert.equal((await inbox.next()).text, 'there?');
});

test('events in fragments, in any order, with one lost, and garbage between them', async () => {
  const { feishu, adapter, inbox, app, ann, direct, connected } = await rig({
    feishu: { limits: { ...soon.limits, frameBytes: 100 } },
  });
  await adapter.start();
  await connected();
  feishu.mischief.reverseFragments = true;
  feishu.people.say(ann, direct, '你好'.repeat(200));
  assert.equal((await inbox.next()).text, '你好'.repeat(200));
  feishu.connections.sendGarbage(app, Buffer.from('garbage'));
  feishu.mischief.loseFragment = true;
  feishu.people.say(ann, direct, 'lost and found');
  assert.equal((await inbox.next()).text, 'lost and found');
});

test('what intake cannot store is delivered again, and the other chats go on meanwhile', async () => {
  const { feishu, adapter, inbox, app, ann, bob, direct } = await rig({ feishu: soon });
  const other = feishu.openDirectChat(bob, app);
  inbox.refuse = (message) => message.text === 'first' && new AntlerError('unavailable', 'down', { retryable: true });
  await adapter.start();
  feishu.people.say(ann, direct, 'first');
  feishu.people.say(bob, other, 'from bob');
  assert.equal((await inbox.next()).text, 'from bob');
  inbox.refuse = () => false;
  assert.equal((await inbox.next()).text, 'first');
});

test('a burst of fifty keeps the order of each chat', async () => {
  const { feishu, adapter, inbox, ann, bob, direct, group } = await rig({ feishu: { limits: { retryMs: [] } } });
  for (let i = 0; i < 25; i++) {
    feishu.people.say(ann, direct, `d${i}`);
    feishu.people.say(bob, group, `g${i}`);
  }
  await adapter.start();
  const texts: string[] = [];
  for (let i = 0; i < 50; i++) texts.push((await inbox.next()).text);
  for (const chat of ['d', 'g']) {
    assert.deepEqual(
      texts.filter((text) => text.startsWith(chat)),
      Array.from({ length: 25 }, (_, i) => `${chat}${i}`),
    );
  }
});

test('where nobody listens, nothing was sent', async () => {
  const nobody = createServer();
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  const address = nobody.address();
  await new Promise((resolve) => nobody.close(resolve));
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { adapter, target } = await rig({ config: { domain: `http://127.0.0.1:${port}/` } });
  await assert.rejects(adapter.send(target, { markdown: 'hi' }, { key: '1' }), {
    code: 'unavailable',
    retryable: true,
  });
});

test('Feishu being away at start does not stop the channel', async () => {
  const { feishu, adapter, inbox, ann, direct } = await rig();
  feishu.faults.plan('GET /bot/v3/info', { kind: 'raw', status: 503, body: 'no' }, 2);
  await adapter.start();
  feishu.people.say(ann, direct, 'hello');
  assert.equal((await inbox.next()).text, 'hello');
});

test('stop ends the connection at once, and the adapter can start again', async () => {
  const { feishu, adapter, inbox, app, ann, direct, target, connected } = await rig();
  await adapter.start();
  await connected();
  const before = performance.now();
  await adapter.stop();
  assert.ok(performance.now() - before < 1_000);
  while (feishu.connections.count(app) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await adapter.send(target, { markdown: 'still possible' }, { key: '1' });
  feishu.people.say(ann, direct, 'while you were out');
  await adapter.start();
  assert.equal((await inbox.next()).text, 'while you were out');
});

test('stop leaves no timer and no socket, however far the connection has come', async () => {
  const { feishu, adapter, connected } = await rig();
  const live = (): string[] =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout' || kind.startsWith('TCPSocket'));
  await adapter.start();
  await adapter.stop();
  await adapter.start();
  await connected();
  feishu.connections.dropAll();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await adapter.stop();
  feishu.dropConnections();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const left = live();
  assert.deepEqual(
    left.filter((kind) => kind.startsWith('TCP')),
    [],
  );
  assert.ok(left.length <= 1, `left behind: ${left.join(', ')}`); // the test runner's own
});
