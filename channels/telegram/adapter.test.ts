import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MENU } from '../../src/base/commands.ts';
import { AntlerError } from '../../src/base/errors.ts';
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

test('a message comes in, is confirmed only then, and the answer goes out formatted', async () => {
  const { telegram, adapter, inbox, ann, direct } = await rig();
  await adapter.start();
  telegram.people.say(ann, direct, 'hello');
  const message = await inbox.next();
  assert.equal(message.text, 'hello');
  assert.equal(message.addressed, 'dm');
  const target = { chat: message.chat.id, chatKind: 'dm' as const };
  const { id } = await adapter.send(target, { markdown: 'Hi **Ann**' }, { key: '1' });
  const sent = telegram.visible(direct).at(-1);
  assert.equal(String(sent?.id), id);
  assert.equal(sent?.content.text, 'Hi Ann');
  assert.deepEqual(sent?.content.entities, [{ type: 'bold', offset: 3, length: 3 }]);
  const polls = await telegram.calls.waitFor('getUpdates', 2);
  assert.equal(polls[0]?.params.offset, undefined);
  assert.equal(typeof polls[1]?.params.offset, 'number');
});

test('an edit shows the new text, and one that changes nothing counts as done', async () => {
  const { telegram, adapter, direct, target } = await rig();
  const { id } = await adapter.send(target, { markdown: 'one' }, { key: '1', draft: true });
  await adapter.edit?.(target, id, { markdown: 'one **two' }, { key: '1', draft: true });
  assert.equal(telegram.visible(direct).at(-1)?.content.text, 'one two');
  await adapter.edit?.(target, id, { markdown: 'one **two' }, { key: '1', draft: true });
  await adapter.edit?.(target, id, { markdown: 'one **two' }, { key: '1' });
  assert.equal(telegram.visible(direct).at(-1)?.content.text, 'one **two');
  await adapter.delete?.(target, id);
  await adapter.delete?.(target, id);
  await assert.rejects(async () => adapter.edit?.(target, id, { markdown: 'x' }, { key: '1' }), {
    code: 'target_gone',
  });
  await adapter.typing?.(target);
});

test('what intake cannot store is offered again, and the other chats go on meanwhile', async () => {
  const { telegram, adapter, inbox, ann, direct, bob, bot } = await rig();
  const other = telegram.openPrivateChat(bob, bot);
  inbox.refuse = (message) => message.text === 'first' && new AntlerError('unavailable', 'down', { retryable: true });
  await adapter.start();
  telegram.people.say(ann, direct, 'first');
  telegram.people.say(ann, direct, 'second');
  telegram.people.say(bob, other, 'from bob');
  assert.equal((await inbox.next()).text, 'from bob');
  telegram.people.say(bob, other, 'again');
  assert.equal((await inbox.next()).text, 'again');
  inbox.refuse = () => false;
  assert.equal((await inbox.next()).text, 'first');
  assert.equal((await inbox.next()).text, 'second');
});

test('a message that waited through a long outage of intake comes in with its words', async () => {
  const { telegram, adapter, inbox, ann, direct } = await rig();
  let refusals = 0;
  inbox.refuse = () => refusals++ < 11 && new AntlerError('unavailable', 'Redis is full', { retryable: true });
  await adapter.start();
  telegram.people.say(ann, direct, 'hello');
  assert.equal((await inbox.next()).text, 'hello');
});

test('an update that intake always refuses does not hold up its chat for ever', async () => {
  const { telegram, adapter, inbox, ann, direct, bob, bot } = await rig();
  const other = telegram.openPrivateChat(bob, bot);
  inbox.refuse = (message) => message.text === 'poison' && new AntlerError('internal', 'cannot be stored');
  await adapter.start();
  telegram.people.say(ann, direct, 'poison');
  telegram.people.say(ann, direct, 'later');
  telegram.people.say(bob, other, 'fine');
  assert.equal((await inbox.next()).text, 'fine');
  assert.equal((await inbox.next()).text, '[message]');
  assert.equal((await inbox.next()).text, 'later');
});

test('polling survives what Telegram and the way to it can do, says so, and recovers', async () => {
  const { telegram, adapter, inbox, statuses, ann, direct } = await rig();
  telegram.faults.plan('getUpdates', { kind: 'refuse', code: 409 });
  telegram.faults.plan('getUpdates', { kind: 'refuse', code: 401, description: 'Unauthorized' });
  telegram.faults.plan('getUpdates', { kind: 'refuse', code: 429, retryAfter: 3 });
  telegram.faults.plan('getUpdates', { kind: 'raw', status: 502, body: '<html>bad gateway</html>' });
  telegram.faults.plan('getUpdates', { kind: 'raw', status: 200, body: '<html>captive portal</html>' });
  telegram.faults.plan('getUpdates', { kind: 'raw', status: 200, body: '{"ok":true,"result":{}}' });
  telegram.faults.plan('getUpdates', { kind: 'drop', processed: true });
  await adapter.start();
  telegram.people.say(ann, direct, 'still there?');
  assert.equal((await inbox.next()).text, 'still there?');
  const problems = statuses
    .filter(({ state }) => state === 'failing')
    .map((status) => 'problem' in status && status.problem);
  assert.equal(problems.length, 7);
  assert.match(String(problems[0]), /Another program/);
  assert.match(String(problems[1]), /BotFather/);
  assert.equal(statuses.at(-1)?.state, 'connected');
});

test('a wrong token is refused at start; the token is in no error and no log line', async () => {
  const { adapter, logged, token } = await rig({ token: '123456:not-the-right-token' });
  const refused = await adapter.start().then(
    () => assert.fail('started'),
    (error: unknown) => error,
  );
  assert.ok(refused instanceof AntlerError);
  assert.equal(refused.code, 'unauthorized');
  const health = await adapter.probe();
  assert.equal(health.ok, false);
  assert.match(health.problem ?? '', /BotFather/);
  assert.ok(!JSON.stringify([logged, health, refused.message, refused.stack, refused.cause]).includes(token.slice(7)));
});

test('Telegram being away at start does not stop the channel', async () => {
  const { telegram, adapter, inbox, ann, direct } = await rig();
  telegram.faults.plan('getMe', { kind: 'raw', status: 503, body: 'no' }, 2);
  telegram.faults.plan('deleteWebhook', { kind: 'drop', processed: false });
  telegram.faults.plan('setMyCommands', { kind: 'refuse', code: 400 });
  await adapter.start();
  telegram.people.say(ann, direct, 'hello');
  assert.equal((await inbox.next()).text, 'hello');
});

test('stop ends a waiting poll at once, and the adapter can start again', async () => {
  const { telegram, adapter, inbox, ann, direct } = await rig();
  await adapter.start();
  await telegram.calls.waitFor('getUpdates', 1);
  const before = performance.now();
  await adapter.stop();
  assert.ok(performance.now() - before < 1_000);
  telegram.people.say(ann, direct, 'while you were out');
  await adapter.start();
  assert.equal((await inbox.next()).text, 'while you were out');
});

test('a failed send says what is known: not sent, refused, or nobody knows', async () => {
  const { telegram, adapter, target } = await rig();
  const send = () => adapter.send(target, { markdown: '**hi**' }, { key: '1' });
  const codes: [Parameters<typeof telegram.faults.plan>[1], string][] = [
    [{ kind: 'drop', processed: true }, 'uncertain'],
    [{ kind: 'raw', status: 200, body: '<html>' }, 'uncertain'],
    [{ kind: 'raw', status: 502, body: '<html>' }, 'unavailable'],
    [{ kind: 'refuse', code: 400, description: "Bad Request: can't parse entities: x" }, 'format_refused'],
    [{ kind: 'refuse', code: 403, description: 'Forbidden: bot was blocked by the user' }, 'target_gone'],
    [{ kind: 'refuse', code: 400, description: 'Bad Request: message thread not found' }, 'target_gone'],
    [{ kind: 'refuse', code: 400, description: 'Bad Request: message is too long' }, 'too_large'],
  ];
  for (const [fault, code] of codes) {
    telegram.faults.plan('sendMessage', fault);
    await assert.rejects(send, { code });
  }
  telegram.faults.plan('sendMessage', { kind: 'refuse', code: 429, retryAfter: 7 });
  await assert.rejects(send, { code: 'rate_limited', retryable: true, retryAfterMs: 7_000 });
});

test('where nobody listens, nothing was sent', async () => {
  const nobody = createServer();
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  const { port } = nobody.address() as AddressInfo;
  await new Promise((resolve) => nobody.close(resolve));
  const { adapter, target } = await rig({ config: { api_root: `http://127.0.0.1:${port}/prefix` } });
  const send = () => adapter.send(target, { markdown: 'hi' }, { key: '1' });
  await assert.rejects(send, { code: 'unavailable', retryable: true });
});

test('the path of api_root is kept', async () => {
  const seen: (string | undefined)[] = [];
  const proxy = createHttpServer((request, response) => {
    seen.push(request.url);
    response.end('{"ok":true,"result":{"id":1,"is_bot":true,"first_name":"b","username":"b_bot"}}');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const { adapter, token } = await rig({ config: { api_root: `http://127.0.0.1:${port}/prefix` } });
  assert.deepEqual(await adapter.probe(), { ok: true, identity: '@b_bot' });
  assert.deepEqual(seen, [`/prefix/bot${token}/getMe`]);
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

test('a group that became a supergroup is followed, and intake learns of it once', async () => {
  const { telegram, adapter, inbox, ann, bot } = await rig();
  const group = telegram.addGroup({ title: 'Team', kind: 'group', members: [ann, bot] });
  const supergroup = telegram.people.migrate(ann, group);
  const target = { chat: String(group.id), chatKind: 'group' as const };
  await adapter.send(target, { markdown: 'moved?' }, { key: '1' });
  assert.equal(telegram.visible(supergroup).at(-1)?.content.text, 'moved?');
  await adapter.start();
  const told = [await inbox.next(), await inbox.next(), await inbox.next()];
  assert.deepEqual(
    new Set(told.map(({ kind, id, chat, migratedTo }) => [kind, id, chat.id, migratedTo].join())).size,
    1,
  );
  assert.equal(told[0]?.migratedTo, String(supergroup.id));
});

test('in a forum the answer stays in the topic, and General is sent to without a number', async () => {
  const { telegram, adapter, inbox, ann, bot } = await rig();
  const forum = telegram.addGroup({ title: 'Forum', forum: true, members: [ann, bot] });
  const topic = telegram.people.openTopic(ann, forum, 'Plans');
  await adapter.start();
  telegram.people.say(ann, forum, '/ask in topic', { topic });
  telegram.people.say(ann, forum, '/ask in general');
  const [first, second] = [await inbox.next(), await inbox.next()];
  assert.equal(first.topic, String(topic.id));
  assert.equal(second.topic, undefined);
  const chat = { chat: String(forum.id), chatKind: 'group' as const };
  await adapter.send({ ...chat, topic: String(topic.id), replyTo: first.id }, { markdown: 'a' }, { key: '1' });
  assert.equal(telegram.visible(forum).at(-1)?.topic?.id, topic.id);
  await adapter.send({ ...chat, topic: '1', replyTo: '999999' }, { markdown: 'b' }, { key: '2' });
  assert.equal(telegram.visible(forum).at(-1)?.topic, undefined);
});

test('a button comes back with its whole value, and is answered', async () => {
  const { telegram, adapter, inbox, ann, direct, target } = await rig();
  const long = `approve ${'谢'.repeat(60)}`;
  const buttons = [
    { label: 'Yes', value: 'yes' },
    { label: 'Long', value: long },
  ];
  await adapter.start();
  await adapter.send(target, { markdown: 'Sure?', buttons }, { key: '1' });
  const message = telegram.visible(direct).at(-1);
  assert.ok(message !== undefined);
  for (const [label, value] of [
    ['Yes', 'yes'],
    ['Long', long],
  ] as const) {
    telegram.people.press(ann, message, label);
    const press = await inbox.next();
    assert.equal(press.kind, 'action');
    assert.equal(press.text, value);
    assert.equal(press.quote?.messageId, String(message.id));
  }
  await telegram.calls.waitFor('answerCallbackQuery', 2);
});

test('a button says who pressed it, whoever was asked, and odd labels and values work too', async () => {
  const { telegram, adapter, inbox, ann, bob, bot } = await rig();
  const group = telegram.addGroup({ title: 'Team', members: [ann, bob, bot] });
  await adapter.start();
  const buttons = [
    { label: ' ', value: '~looks kept' },
    { label: 'Half \ud83d', value: 'x\ud83d' },
  ];
  await adapter.send({ chat: String(group.id), chatKind: 'group' }, { markdown: 'Sure?', buttons }, { key: '1' });
  const message = telegram.visible(group).at(-1);
  assert.ok(message !== undefined);
  for (const [label, value] of [
    ['…', '~looks kept'],
    ['Half \ufffd', 'x\ud83d'],
  ] as const) {
    telegram.people.press(bob, message, label);
    const press = await inbox.next();
    assert.deepEqual([press.sender.id, press.text, press.addressed], [String(bob.id), value, 'reply']);
  }
});

test('a press that means nothing any more is answered with a word about it, and nobody else hears of it', async () => {
  const { telegram, adapter, inbox, ann, bot, direct } = await rig();
  await adapter.start();
  const from = { id: ann.id, is_bot: false, first_name: 'Ann', language_code: 'zh-hans' };
  const message = { message_id: 9, date: 0, chat: { id: ann.id, type: 'private' } };
  telegram.inject(bot, { callback_query: { id: 'Q1', from, message, chat_instance: '1', data: '~forgotten' } });
  telegram.inject(bot, { callback_query: { id: 'Q2', from, inline_message_id: 'I', chat_instance: '1', data: 'x' } });
  telegram.inject(bot, { callback_query: { id: 'Q3', from, chat_instance: '1', game_short_name: 'chess' } });
  telegram.inject(bot, { callback_query: { id: 'Q4', from, message, chat_instance: '1', data: '谢'.repeat(22) } });
  telegram.people.say(ann, direct, 'after it');
  assert.equal((await inbox.next()).text, 'after it');
  const answers = await telegram.calls.waitFor('answerCallbackQuery', 4);
  assert.deepEqual(
    new Set(answers.map(({ params }) => `${params.callback_query_id} ${params.text}`)),
    new Set([
      'Q1 这个按钮已失效。',
      'Q2 This button does not work any more.',
      'Q3 This button does not work any more.',
      'Q4 这个按钮已失效。',
    ]),
  );
});

test('a press that was waiting for so long that Telegram takes no answer to it counts all the same', async () => {
  const { telegram, adapter, inbox, ann, direct, target } = await rig();
  await adapter.send(target, { markdown: 'Sure?', buttons: [{ label: 'Yes', value: 'yes' }] }, { key: '1' });
  const message = telegram.visible(direct).at(-1) ?? assert.fail();
  telegram.faults.plan('answerCallbackQuery', {
    ...{ kind: 'refuse', code: 400 },
    description: 'Bad Request: query is too old and response timeout expired or query ID is invalid',
  });
  telegram.people.press(ann, message, 'Yes');
  await adapter.start();
  assert.equal((await inbox.next()).text, 'yes');
  await telegram.calls.waitFor('answerCallbackQuery', 1);
});

test('what was said while the bot was away comes in whole and in order, however much it is', async () => {
  const { telegram, adapter, inbox, ann, direct } = await rig();
  const said = Array.from({ length: 250 }, (_, n) => `message ${n}`);
  for (const text of said) telegram.people.say(ann, direct, text);
  await adapter.start();
  const heard: string[] = [];
  while (heard.length < said.length) heard.push((await inbox.next()).text);
  assert.deepEqual(heard, said);
});

test('an edit that changes no word is none', async () => {
  const { telegram, adapter, inbox, ann, bot, direct } = await rig();
  await adapter.start();
  const said = telegram.people.say(ann, direct, 'see https://example.com');
  await inbox.next();
  telegram.people.edit(said, 'see https://example.com');
  telegram.people.edit(said, 'see this');
  const edit = await inbox.next();
  assert.deepEqual([edit.kind, edit.text, edit.id], ['edit', 'see this', String(said.id)]);
  telegram.inject(bot, { edited_message: { message_id: 1 } });
  assert.equal(inbox.waiting, 0);
});

test('reactions are heard', async () => {
  const { telegram, adapter, inbox, ann, direct } = await rig();
  await adapter.start();
  const said = telegram.people.say(ann, direct, 'x');
  await inbox.next();
  telegram.people.react(ann, said, '👍');
  const reaction = await inbox.next();
  assert.deepEqual([reaction.kind, reaction.text, reaction.quote?.messageId], ['reaction', '👍', String(said.id)]);
});

test('a group that is known to have moved costs no refused send, and typing follows it too', async () => {
  const { telegram, adapter, inbox, ann, bot } = await rig();
  const group = telegram.addGroup({ title: 'Team', kind: 'group', members: [ann, bot] });
  await adapter.start();
  const supergroup = telegram.people.migrate(ann, group);
  await inbox.next();
  const target = { chat: String(group.id), chatKind: 'group' as const, topic: '5', replyTo: '1' };
  await adapter.typing?.(target);
  await adapter.send(target, { markdown: 'here' }, { key: '1' });
  assert.equal(telegram.visible(supergroup).at(-1)?.content.text, 'here');
  assert.deepEqual([telegram.calls.list('sendMessage').length, telegram.calls.list('sendChatAction').length], [1, 1]);
});

test('the menu of commands is there in each language', async () => {
  const { telegram, adapter, bot } = await rig();
  telegram.faults.plan('setMyCommands', { kind: 'refuse', code: 429, retryAfter: 1 });
  await adapter.start();
  await telegram.calls.waitFor('setMyCommands', 3);
  while (bot.commands.size < 2) await setImmediate();
  const menus = [...bot.commands.values()].map((menu) => menu.map(({ command }) => command).join(' '));
  assert.deepEqual(menus, Array(2).fill(MENU.map(({ name }) => name).join(' ')));
});

test('long answers are cut into messages that Telegram takes, formatting and all', async () => {
  const { telegram, adapter, direct, target, manifest } = await rig();
  const code = Array.from({ length: 400 }, (_, n) => `print("line ${n} 👍🏽")`).join('\n');
  const markdown = `# Title\n\n${'A **bold** sentence with `code`. '.repeat(200)}\n\n\`\`\`py\n${code}\n\`\`\`\n\nDone.`;
  const parts = manifest.split({ markdown, buttons: [{ label: 'Ok', value: 'ok' }] });
  for (const part of parts) await adapter.send(target, part, { key: '1' });
  const shown = telegram.visible(direct);
  assert.equal(shown.length, parts.length);
  assert.deepEqual(
    shown.map(({ keyboard }) => keyboard !== undefined),
    parts.map((_, n) => n === parts.length - 1),
  );
  const text = shown.map(({ content }) => content.text).join('\n');
  assert.ok(text.includes(code));
  for (const { content } of shown) assert.ok(content.text.length <= 4096);
});
