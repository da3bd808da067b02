import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Message, shownText } from '../../src/simulator/slack/index.ts';
import { type RigOptions, startRig, threadBelow } from './testing/rig.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function rig(options?: RigOptions) {
  const made = await startRig(options);
  closers.push(made.stop);
  const { slack, dm } = made;
  const last = (where = dm): Message => slack.visible(where).at(-1) ?? assert.fail('nothing was said');
  const told: string[] = [];
  slack.events.subscribe((event) => event.type === 'ephemeral' && told.push(event.text));
  return { ...made, last, told };
}

test('a button comes back with its whole value', async () => {
  const { slack, adapter, inbox, ann, dm, target, last } = await rig();
  const long = `approve ${'谢'.repeat(2_500)}`;
  const buttons = [
    { label: 'Yes', value: 'yes' },
    { label: `${'Long '.repeat(30)}`, value: long },
    { label: 'Empty', value: '' },
  ];
  await adapter.start();
  await adapter.send(target, { markdown: 'Sure?', buttons }, { key: '1' });
  const labels = buttons.map(({ label }) => (label.length > 75 ? `${label.slice(0, 74)}…` : label));
  for (const [index, label] of labels.entries()) {
    const told = await slack.people.press(ann, last(dm), label);
    assert.equal(told.kind, 'acknowledged');
    const press = await inbox.next();
    assert.deepEqual([press.kind, press.text, press.quote?.messageId], ['action', buttons[index]?.value, last(dm).ts]);
  }
});

test('a command is answered even where the bot is no member', async () => {
  const { slack, adapter, inbox, app, ann, bob, told } = await rig();
  const secret = slack.addChannel({ name: 'secret', kind: 'group', members: [ann, bob] });
  await adapter.start();
  await slack.people.command(app, ann, secret, '/antler status');
  const command = await inbox.next();
  assert.deepEqual([command.text, command.addressed], ['/status', 'command']);
  const target = { chat: secret.id, chatKind: 'group' as const };
  await assert.rejects(adapter.send(target, { markdown: '*half' }, { key: '1', draft: true }), { code: 'target_gone' });
  await adapter.send({ ...target, replyTo: command.id }, { markdown: '**idle**' }, { key: '1' });
  assert.deepEqual(told, ['*idle*']);
  await assert.rejects(adapter.send({ ...target, replyTo: 'command/other' }, { markdown: 'x' }, { key: '2' }), {
    code: 'target_gone',
  });
});

test('a button that is too old says so to the one who pressed it, in their language', async () => {
  const { slack, adapter, inbox, bob, channel, keys, last, told } = await rig();
  await adapter.start();
  const target = { chat: channel.id, chatKind: 'group' as const };
  await adapter.send(
    target,
    { markdown: 'Sure?', buttons: [{ label: 'Yes', value: 'x'.repeat(3_000) }] },
    { key: '1' },
  );
  for (const key of keys.keys()) if (key.includes('button:')) keys.delete(key);
  assert.equal((await slack.people.press(bob, last(channel), 'Yes')).kind, 'acknowledged');
  assert.deepEqual([told, inbox.waiting], [['这个按钮已失效。'], 0]);
});

test('many buttons stand in rows, and whoever presses one is named', async () => {
  const { slack, adapter, inbox, bob, channel, last } = await rig();
  await adapter.start();
  const buttons = Array.from({ length: 60 }, (_, n) => ({ label: `No. ${n}`, value: `n${n}` }));
  await adapter.send({ chat: channel.id, chatKind: 'group' }, { markdown: 'Which?', buttons }, { key: '1' });
  assert.equal((await slack.people.press(bob, last(channel), 'No. 59')).kind, 'acknowledged');
  const press = await inbox.next();
  assert.deepEqual([press.text, press.sender.id, press.sender.name], ['n59', bob.id, 'Bob']);
});

test('a press in a place that the bot has left is answered to the one who pressed', async () => {
  const { slack, adapter, inbox, app, ann, channel, last, told } = await rig();
  await adapter.start();
  const target = { chat: channel.id, chatKind: 'group' as const };
  await adapter.send(target, { markdown: 'Sure?', buttons: [{ label: 'Yes', value: 'yes' }] }, { key: '1' });
  const question = last(channel);
  slack.people.leave(app.user, channel);
  assert.equal((await inbox.next()).kind, 'left');
  await slack.people.press(ann, question, 'Yes');
  const press = await inbox.next();
  await adapter.send({ ...target, topic: question.ts, replyTo: press.id }, { markdown: '**Done**' }, { key: '2' });
  assert.deepEqual(told, ['*Done*']);
});

test('a shortcut in the menu of a message asks about it, with its words and files', async () => {
  const { slack, adapter, inbox, app, ann, bob, channel, last } = await rig();
  const bytes = new Uint8Array([1]);
  const file = slack.addFile({ name: 'log.txt', mimetype: 'text/plain', bytes, by: bob });
  await adapter.start();
  const message = slack.people.say(bob, channel, 'the build is red', { files: [file] });
  await inbox.next();
  assert.equal((await slack.people.shortcut(app, ann, message)).kind, 'acknowledged');
  const asked = await inbox.next();
  assert.deepEqual(
    [asked.addressed, asked.topic, asked.sender.name, asked.quote?.author, asked.quote?.text],
    ['command', message.ts, 'Ann Lee', 'Bob', 'the build is red'],
  );
  assert.deepEqual(
    asked.quote?.files.map(({ name }) => name),
    ['log.txt'],
  );
  await adapter.send(threadBelow(channel, message), { markdown: 'It is the linter' }, { key: '1' });
  assert.deepEqual([shownText(last(channel)), last(channel).threadTs], ['It is the linter', message.ts]);
});

test('a message that is passed on comes with its author, words and files', async () => {
  const { slack, adapter, inbox, ann, bob, channel, dm } = await rig();
  const file = slack.addFile({ name: 'a.png', mimetype: 'image/png', bytes: new Uint8Array([1]), by: bob });
  await adapter.start();
  const message = slack.people.say(bob, channel, 'look, @ann', { files: [file] });
  await inbox.next();
  slack.people.share(ann, message, dm, 'what is that?');
  const asked = await inbox.next();
  assert.deepEqual(
    [asked.text, asked.quote?.author, asked.quote?.text, asked.quote?.files.map(({ name }) => name)],
    ['what is that?', 'Bob', 'look, @Ann Lee', ['a.png']],
  );
  slack.people.share(ann, message, dm);
  assert.deepEqual([(await inbox.next()).forwardedFrom], ['Bob']);
});

test('a mention comes with its files, whichever of its two events comes first', async () => {
  const { slack, adapter, inbox, app, ann, channel } = await rig();
  const shared = (): Message => {
    const file = slack.addFile({ name: 'a.csv', mimetype: 'text/csv', bytes: new Uint8Array([1]), by: ann });
    return slack.people.say(ann, channel, '@antler look', { files: [file] });
  };
  await adapter.start();
  shared();
  assert.deepEqual(
    (await inbox.next()).files.map(({ name }) => name),
    ['a.csv'],
  );
  assert.equal(slack.calls.list('conversations.replies').length, 0);
  app.link.hold();
  const root = shared();
  app.link.release((held) => held.reverse());
  const second = await inbox.next();
  assert.deepEqual([second.text, second.topic, second.files.length], ['look', root.ts, 1]);
  app.link.hold();
  slack.people.say(ann, channel, '@antler and?', { thread: root });
  app.link.release((held) => held.reverse());
  assert.deepEqual([(await inbox.next()).text, slack.calls.list('conversations.replies').length], ['and?', 2]);
  slack.faults.plan('conversations.replies', { kind: 'refuse', error: 'missing_scope' }, 9);
  app.link.hold();
  shared();
  app.link.release((held) => held.reverse());
  assert.deepEqual([(await inbox.next()).text], ['look']);
});

test('a private channel that is shared with another organisation is followed to its new id', async () => {
  const { slack, adapter, inbox, ann, bob, app, replica } = await rig();
  const secret = slack.addChannel({ name: 'secret', kind: 'group', members: [ann, bob, app.user] });
  await adapter.start();
  const root = slack.people.say(ann, secret, '@antler hello');
  await inbox.next();
  const thread = threadBelow(secret, root);
  const { id } = await adapter.send(thread, { markdown: 'Hi' }, { key: '1' });
  slack.people.shareOutside(secret);
  const move = await inbox.next();
  assert.deepEqual(
    [move.kind, move.chat, move.migratedTo, move.sender.isBot],
    ['migrated', { id: thread.chat, kind: 'group' }, secret.id, true],
  );
  slack.people.say(bob, secret, 'and now?', { thread: root });
  const heard = await inbox.next();
  assert.deepEqual([heard.chat.id, heard.addressed, heard.topic], [secret.id, 'topic-participant', root.ts]);
  const other = await replica();
  await other.edit?.(thread, id, { markdown: 'Hi there' }, { key: '1' });
  await other.send(thread, { markdown: 'Late' }, { key: '2' });
  assert.deepEqual(slack.visible(secret).map(shownText), [root.text, 'Hi there', 'and now?', 'Late']);
  await assert.rejects(other.send({ ...thread, chat: 'C0NOWHERE' }, { markdown: 'x' }, { key: '3' }), {
    code: 'target_gone',
  });
});

test('groups of people are read by their names', async () => {
  const { slack, adapter, inbox, ann, dm } = await rig();
  const group = slack.addGroup('ops');
  await adapter.start();
  for (const text of ['one', 'two']) slack.people.say(ann, dm, `${text} <!subteam^${group.id}>`, { typed: false });
  assert.deepEqual([(await inbox.next()).text, (await inbox.next()).text], ['one @ops', 'two @ops']);
  assert.equal(slack.calls.list('usergroups.list').length, 1);
  const poor = await rig({ scopes: ['chat:write', 'im:history', 'app_mentions:read'] });
  await poor.adapter.start();
  poor.slack.people.say(poor.ann, poor.dm, 'hi <!subteam^S1>', { typed: false });
  assert.equal((await poor.inbox.next()).text, 'hi @S1');
});
