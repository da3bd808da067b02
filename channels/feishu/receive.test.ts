import assert from 'node:assert/strict';
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

/** Failed events come again at once. */
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
  assert.deepEqual([message.text, message.sender.name, message.quote], ['ok?', '', undefined]);
});

test('a merged forward reads as what was said in it, with the files that came with it', async () => {
  const { feishu, adapter, inbox, ann, bob, app, direct, group } = await rig();
  const key = feishu.addFile({ kind: 'image', name: 'menu.png', bytes: Buffer.from('PNG') });
  const first = feishu.people.say(bob, group, 'lunch?', { at: 1_770_000_000_000 });
  const menu = feishu.people.send(bob, group, 'image', { image_key: key }, { at: 1_770_000_002_000 });
  const second = feishu.people.say(ann, group, 'at\none', { at: 1_770_000_001_000 });
  const third = feishu.people.send(app, group, 'text', { text: 'noted' }, { at: 1_770_000_003_000 });
  await adapter.start();
  for (let heard = 0; heard < 3; heard++) await inbox.next();
  const inner = feishu.people.send(bob, group, 'merge_forward', 'x', { children: [first, second] });
  await inbox.next();
  const children = [menu, third, inner];
  const forward = feishu.people.send(ann, direct, 'merge_forward', 'Merged and Forwarded Message', { children });
  const { text, files } = await inbox.next();
  assert.equal(
    text,
    ['[forwarded messages]', 'Bob: [image]', 'Antler: noted', 'Bob: [forwarded messages]']
      .concat('  Bob: lunch?', '  Ann: at', '  one')
      .join('\n'),
  );
  assert.deepEqual(
    files.map(({ id, kind }) => [id, kind]),
    [[`${forward.id}/image/${key}`, 'image']],
  );
  const [file = assert.fail()] = files;
  const fetched = await adapter.fetchFile?.(file, { maxBytes: 100, signal: new AbortController().signal });
  assert.equal(fetched?.content.toString(), 'PNG');
  feishu.people.say(ann, direct, 'and?', { replyTo: forward });
  const { quote } = await inbox.next();
  assert.deepEqual([quote?.text, quote?.files.length], [text, 1]);
});

test('a forward whose speakers cannot be named in time is told with their ids', async () => {
  const { feishu, adapter, inbox, app, ann, direct } = await rig();
  const people = Array.from({ length: 12 }, (_, i) => feishu.addUser(`P${i}`));
  const elsewhere = feishu.addGroup({ title: 'Elsewhere', users: people, apps: [feishu.addApp({ name: 'Other' })] });
  elsewhere.apps.push(app);
  app.hears = 'mentions';
  const children = people.map((person, i) => feishu.people.say(person, elsewhere, `line ${i}`));
  await adapter.start();
  feishu.faults.plan('GET /contact/v3/users/:id', { kind: 'delay', ms: 150 }, 13);
  feishu.people.send(ann, direct, 'merge_forward', 'x', { children });
  assert.match((await inbox.next()).text, /^\[forwarded messages\]\nP0: line 0\n[\s\S]*\nP11: line 11$/);
  const strangers = Array.from({ length: 3 }, (_, i) => feishu.addUser(`S${i}`));
  const unknown = strangers.map((person) => feishu.people.say(person, elsewhere, 'hm'));
  feishu.faults.plan('GET /contact/v3/users/:id', { kind: 'hang' }, 3);
  feishu.people.send(ann, direct, 'merge_forward', 'x', { children: unknown });
  assert.equal(
    (await inbox.next()).text,
    `[forwarded messages]\n${strangers.map(({ openId }) => `${openId}: hm`).join('\n')}`,
  );
});

test('a merged forward without end is cut, one that cannot be read is named', async () => {
  const { feishu, adapter, inbox, ann, bob, direct, group } = await rig();
  const children = Array.from({ length: 80 }, (_, i) => feishu.people.say(bob, group, `${i} ${'谢'.repeat(300)}`));
  await adapter.start();
  for (let heard = 0; heard < 80; heard++) await inbox.next();
  feishu.people.send(ann, direct, 'merge_forward', 'x', { children });
  const { text } = await inbox.next();
  assert.ok(text.length < 8_100 && text.endsWith('[…]'));
  feishu.faults.plan('GET /im/v1/messages/:id', { kind: 'refuse', code: 230110 });
  feishu.people.send(ann, direct, 'merge_forward', 'x', { children });
  assert.equal((await inbox.next()).text, '[forwarded messages]');
});

test('forwards inside of forwards end somewhere', async () => {
  const { feishu, adapter, inbox, ann, bob, direct, group } = await rig();
  await adapter.start();
  let inner = feishu.people.say(bob, group, 'deepest');
  await inbox.next();
  for (let depth = 0; depth < 6; depth++) {
    inner = feishu.people.send(bob, group, 'merge_forward', 'x', { children: [inner] });
    await inbox.next();
  }
  feishu.people.send(ann, direct, 'merge_forward', 'x', { children: [inner] });
  const { text } = await inbox.next();
  assert.match(text, /^\[forwarded messages\]\nBob: \[forwarded messages\]\n {2}Bob: /);
  assert.doesNotMatch(text, /deepest|\n {8}/);
});

test('what the app may not look up is left out, and the message comes all the same', async () => {
  const { feishu, adapter, inbox, app, ann, bob, direct, group } = await rig();
  app.lacks.add('contact:user.base:readonly');
  await adapter.start();
  const plan = feishu.people.say(bob, group, 'the plan');
  await inbox.next();
  feishu.faults.plan('GET /im/v1/messages/:id', { kind: 'refuse', code: 230027 });
  feishu.faults.plan('GET /im/v1/chats/:id', { kind: 'refuse', code: 232006 });
  feishu.people.say(ann, group, '@Antler is it ok?', { replyTo: plan });
  const { text, quote, sender } = await inbox.next();
  assert.deepEqual([text, quote, sender], ['is it ok?', undefined, { id: ann.openId, name: '', isBot: false }]);
  feishu.people.send(ann, direct, 'share_user', { user_id: bob.openId });
  assert.equal((await inbox.next()).text, `[contact card ${bob.openId}]`);
});

test('people of another tenant are heard like others, without a name', async () => {
  const { feishu, adapter, inbox, group } = await rig();
  const guest = feishu.addUser('Guest', 'another tenant');
  group.users.push(guest);
  feishu.faults.plan('GET /contact/v3/users/:id', { kind: 'refuse', code: 41050 });
  await adapter.start();
  feishu.people.say(guest, group, '@Antler hello');
  const { text, tenant, sender } = await inbox.next();
  assert.deepEqual([text, tenant, sender.id, sender.name], ['hello', 'another tenant', guest.openId, '']);
});

test('what is quoted comes with its files, cards with their words', async () => {
  const { feishu, adapter, inbox, ann, bob, direct, group } = await rig();
  const key = feishu.addFile({ kind: 'file', name: 'a.pdf', bytes: Buffer.from('PDF') });
  const other = feishu.addApp({ name: 'Alerts' });
  group.apps.push(other);
  await adapter.start();
  const file = feishu.people.send(bob, group, 'file', { file_key: key, file_name: 'a.pdf' });
  await inbox.next();
  feishu.people.say(ann, group, '@Antler summarise', { replyTo: file });
  const { quote } = await inbox.next();
  assert.deepEqual(
    [quote?.author, quote?.text, quote?.files[0]?.id],
    ['Bob', '[file a.pdf]', `${file.id}/file/${key}`],
  );
  const { id } = await adapter.send(
    { chat: direct.id, chatKind: 'dm' },
    { markdown: '# Report\n\nall well' },
    { key: '1' },
  );
  const own = feishu.visible(direct).find((message) => message.id === id) ?? assert.fail();
  feishu.people.say(ann, direct, 'why?', { replyTo: own });
  const reply = await inbox.next();
  assert.deepEqual([reply.quote?.fromBot, reply.quote?.text], [true, '# Report\n\nall well']);
  const plea = { elements: [[{ tag: 'text', text: '请升级至最新版本客户端，以查看内容' }]] };
  const card = feishu.people.send(other, group, 'interactive', plea);
  const made = { title: 'Disk', elements: [{ tag: 'markdown', content: 'full' }] };
  card.content = JSON.stringify({ ...plea, user_dsl: JSON.stringify(made) });
  const told = await inbox.next();
  assert.deepEqual([told.text, told.sender.isBot], ['Disk\nfull', true]);
});

test('cards of people and groups come with their names', async () => {
  const { feishu, adapter, inbox, ann, bob, direct, group } = await rig();
  await adapter.start();
  const cards: [string, object, string][] = [
    ['share_user', { user_id: bob.openId }, '[contact card Bob]'],
    ['share_chat', { chat_id: group.id }, '[group card Team]'],
    ['share_user', { user_id: 'ou_stranger' }, '[contact card ou_stranger]'],
  ];
  for (const [type, content, text] of cards) {
    feishu.people.send(ann, direct, type, content);
    assert.equal((await inbox.next()).text, text);
  }
});

test('people come, go, take reactions back and open the chat', async () => {
  const { feishu, adapter, inbox, ann, bob, app, group } = await rig();
  const cy = feishu.addUser('Cy');
  await adapter.start();
  feishu.people.addPerson(ann, group, cy);
  const joined = await inbox.next();
  assert.deepEqual([joined.kind, joined.text, joined.sender.name], ['joined', '@Cy', 'Ann']);
  feishu.people.removePerson(ann, group, cy);
  assert.equal((await inbox.next()).kind, 'left');
  const said = feishu.people.say(bob, group, 'hi');
  await inbox.next();
  feishu.people.react(ann, said, 'SMILE');
  assert.equal((await inbox.next()).text, 'SMILE');
  feishu.people.unreact(ann, said, 'SMILE');
  assert.equal((await inbox.next()).text, '[removed SMILE]');
  const fresh = feishu.openDirectChat(cy, app);
  feishu.people.enter(cy, fresh);
  const hello = await inbox.next();
  assert.deepEqual([hello.text, hello.chat, hello.sender.name], ['/start', { id: fresh.id, kind: 'dm' }, 'Cy']);
  feishu.people.say(cy, fresh, 'hello');
  await inbox.next();
  feishu.people.enter(cy, fresh);
  feishu.people.say(cy, fresh, 'again');
  assert.equal((await inbox.next()).text, 'again', 'later it is nothing');
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
  const second = feishu.people.say(bob, forum, 'another topic');
  assert.equal((await inbox.next()).addressed, 'none');
  const third = await replica();
  await third.send({ ...target, topic: String(second.threadId) }, { markdown: 'here too' }, { key: '4' });
  await third.stop();
  feishu.people.say(bob, forum, 'fine', { replyTo: second });
  assert.equal((await inbox.next()).addressed, 'topic-participant', 'what another replica has joined counts here too');
});

test('what was said in a topic before is read, where the app may', async () => {
  const { feishu, adapter, ann, bob, app, group } = await rig();
  const root = feishu.people.say(bob, group, 'the build is red');
  const reply = (text: string) => feishu.people.say(ann, group, text, { replyTo: root, inThread: true });
  const gone = reply('secret');
  feishu.people.recall(ann, gone);
  const first = reply('since when?');
  const target = { chat: group.id, chatKind: 'group' as const, topic: first.threadId ?? '', replyTo: first.id };
  await adapter.send(target, { markdown: 'since noon' }, { key: '1' });
  const call = reply('@Antler look into this');
  reply('hurry');
  const options = { before: { id: call.id, sentAt: call.at }, limit: 30, signal: AbortSignal.timeout(5_000) };
  const read = async (limit: number, where: { readonly chat: string; readonly topic?: string } = target) =>
    (await adapter.earlier?.(where, { ...options, limit }))?.map(({ name, fromBot, text }) => [name, fromBot, text]);
  const all = [
    ['Bob', false, 'the build is red'],
    ['Ann', false, 'since when?'],
    ['Antler', true, 'since noon'],
  ];
  const before = async (limit: number) => (await read(limit))?.filter(([, , text]) => text !== 'hurry');
  assert.deepEqual(await before(30), all);
  assert.ok((await read(30, { chat: group.id }))?.some(([, , text]) => text === 'the build is red'));
  app.lacks.add('im:message.group_msg');
  await assert.rejects(read(30));
});

test('the departments of a person are known, those above them too, as far as the app may see them', async () => {
  let later = 0;
  const { feishu, adapter, app, ann, bob } = await rig({ ahead: () => later });
  const company = feishu.addDepartment('Company');
  const team = feishu.addDepartment('Team', feishu.addDepartment('Engineering', company));
  ann.departments = [team.id];
  const known = await adapter.groupsOf?.(ann.openId);
  assert.deepEqual([known?.length, known?.[0], known?.at(-1)], [3, team.id, company.id]);
  assert.deepEqual(await adapter.groupsOf?.(bob.openId), [], 'the root is no department');
  app.lacks.add('contact:department.organize:readonly');
  assert.equal((await adapter.groupsOf?.(ann.openId))?.length, 3, 'it is not asked about again so soon');
  later = 3_600_000;
  assert.deepEqual(await adapter.groupsOf?.(ann.openId), [team.id]);
  later *= 2;
  app.lacks.add('contact:user.department:readonly');
  await assert.rejects(adapter.groupsOf?.(ann.openId) ?? assert.fail(), /contact:user\.department:readonly/);
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

test('what was taken back before it could be stored is not taken in when it comes again', async () => {
  const { feishu, adapter, inbox, ann, direct, connected } = await rig({ feishu: { limits: { retryMs: [] } } });
  await adapter.start();
  await connected();
  const refused = Promise.withResolvers<void>();
  inbox.refuse = () => {
    refused.resolve();
    return new AntlerError('unavailable', 'no database');
  };
  const secret = feishu.people.say(ann, direct, 'secret');
  const push = feishu.pushes.at(-1) ?? assert.fail();
  await refused.promise;
  inbox.refuse = () => false;
  feishu.people.recall(ann, secret);
  assert.equal((await inbox.next()).kind, 'recall');
  feishu.redeliver(push);
  feishu.people.say(ann, direct, 'next');
  assert.equal((await inbox.next()).text, 'next');
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

test('the answer to a press is no reply to it, and what is marked is the message before it', async () => {
  const { feishu, adapter, inbox, ann, group, inGroup, connected } = await rig();
  await adapter.start();
  await connected();
  const said = feishu.people.say(ann, group, '@Antler hi');
  await inbox.next();
  await adapter.send(inGroup, { markdown: 'Sure?', buttons: [{ label: '', value: 'yes' }] }, { key: '1' });
  await feishu.people.press(ann, feishu.visible(group).at(-1) ?? assert.fail(), '…');
  const target = { ...inGroup, replyTo: (await inbox.next()).id };
  await adapter.typing?.(target);
  assert.deepEqual(
    said.reactions.map(({ emoji }) => emoji),
    ['Typing'],
  );
  await adapter.send(target, { markdown: 'Done' }, { key: '2' });
  await feishu.calls.waitFor('DELETE /im/v1/messages/:id/reactions/:id', 1);
  assert.deepEqual([said.reactions, feishu.calls.list('POST /im/v1/messages/:id/reply')], [[], []]);
});

test('a double click is one press; another button, another person and a later click are others', async () => {
  const { feishu, adapter, inbox, ann, bob, group, inGroup, connected } = await rig();
  await adapter.start();
  await connected();
  const buttons = ['yes', 'no'].map((value) => ({ label: value, value }));
  await adapter.send(inGroup, { markdown: 'Sure?', buttons }, { key: '1' });
  const card = feishu.visible(group).at(-1) ?? assert.fail();
  const press = (who: typeof ann, label: string) => feishu.people.press(who, card, label);
  inbox.refuse = () => new AntlerError('unavailable', 'no database');
  assert.equal((await press(ann, 'yes')).kind, 'failed');
  inbox.refuse = () => false;
  const answers = [await press(ann, 'yes'), await press(ann, 'yes'), await press(bob, 'yes'), await press(ann, 'no')];
  assert.deepEqual(answers, Array(4).fill({ kind: 'taken', answer: {} }));
  const taken = [await inbox.next(), await inbox.next(), await inbox.next()];
  assert.deepEqual(
    taken.map(({ sender, text }) => [sender.name, text]),
    [
      ['Ann', 'yes'],
      ['Bob', 'yes'],
      ['Ann', 'no'],
    ],
  );
  assert.equal(inbox.waiting, 0);
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

test('a group that is closed has been left, and takes no more', async () => {
  const { feishu, adapter, inbox, ann, group, inGroup } = await rig();
  await adapter.start();
  feishu.people.disband(ann, group);
  const { kind, chat, sender } = await inbox.next();
  assert.deepEqual([kind, chat, sender.name], ['left', { id: group.id, kind: 'group' }, 'Ann']);
  await assert.rejects(adapter.send(inGroup, { markdown: 'anybody?' }, { key: '1' }), { code: 'target_gone' });
});
