import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import type { Chat, Message } from '../../simulator/telegram/index.ts';
import { configOf, playAntler, type Stage, setStage } from './stage.ts';

const report = tools(['send_file', { name: 'prices.csv', content: 'a,b' }]);
const which = tools(['ask_clarification', { question: 'Which shop?', options: ['North', 'South'] }]);

/** A group in which the bot is, and what the bot last said there by a pattern. */
async function inGroup(t: Parameters<typeof setStage>[0]) {
  const stage = await setStage(t);
  const group = stage.telegram.addGroup({ title: 'Team', members: [stage.ann, stage.bo, stage.bot] });
  await playAntler(t, stage);
  return { ...stage, group };
}

const seen = ({ telegram, bot }: Stage, chat: Chat, expected: RegExp): Promise<Message> =>
  telegram.waitFor(chat, ({ from, content }) => from.id === bot.user.id && expected.test(content.text), 10_000);

test('a task is worked on apart: question, answer, result to who asked, with its file; one card is edited in place', async (t) => {
  const stage = await inGroup(t);
  const { telegram, model, group, ann, bo } = stage;
  model.script(which, report, text('North is cheaper.'));
  telegram.people.say(ann, group, '/task Compare the prices');
  const card = await seen(stage, group, /Compare the prices/);
  assert.equal(card.replyTo?.content.text, '/task Compare the prices');
  const question = await seen(stage, group, /@Ann[\s\S]*Which shop\?/);
  await seen(stage, group, /Compare the prices[\s\S]*waiting ·/);
  telegram.people.say(ann, group, '1', { replyTo: question });
  const result = await seen(stage, group, /North is cheaper/);
  assert.match(result.content.text, /^@Ann/);
  assert.equal(result.replyTo?.content.text, '/task Compare the prices');
  await telegram.waitFor(group, ({ media }) => media !== undefined, 10_000);
  await seen(stage, group, /✅ Compare the prices\s+done/);
  assert.equal(stage.said(group).filter((said) => said.includes('Compare the prices')).length, 1, 'there is one card');
  assert.match(JSON.stringify(model.requests[1]?.body), /is: 1\. North/);
  await stage.ask('/tasks', /没有未结束的任务/, bo, group);
});

test('the lead takes work on by itself, hands some to a person who closes it, and asks first where it is not clear', async (t) => {
  const stage = await inGroup(t);
  const { telegram, model, group, ann, bo } = stage;
  const unclear = { title: 'Plan a party', text: 'Plan a party for the team.', confirm: true };
  model.script(
    tools(['delegate_task', unclear]),
    text('Shall I?'),
    text('The party is on Friday.'),
    text('你好！'),
    tools(['delegate_task', { title: 'Check the bill', text: 'Check the bill.', to: '@小波' }]),
    text('Told him.'),
  );
  telegram.people.say(ann, group, '@antler_bot maybe we should have a party?');
  const card = await seen(stage, group, /📝 Plan a party\s+proposed/);
  await seen(stage, group, /^Shall I\?$/);
  assert.equal(model.requests.length, 2, 'nothing begins before she agrees');
  telegram.people.press(ann, card, 'Go ahead');
  await seen(stage, group, /@Ann\s+The party is on Friday\./);
  assert.match(JSON.stringify(model.requests[2]?.body), /Plan a party for the team/);

  await stage.ask('@antler_bot 你好', /^你好！$/, bo, group);
  telegram.people.say(ann, group, '@antler_bot 小波 should check the bill');
  const his = await seen(stage, group, /Check the bill[\s\S]*by 小波[\s\S]*@小波/);
  await seen(stage, group, /^Told him\.$/);
  telegram.people.press(bo, his, 'Done');
  await seen(stage, group, /✅ Check the bill\s+done/);
});

test('an answer reaches a waiting task without being a reply, what is said later does not', async (t) => {
  const stage = await setStage(t);
  const { telegram, model, ann, dm } = stage;
  await playAntler(t, stage);
  model.script(which, text('North is cheaper.'), text('Nice weather.'));
  telegram.people.say(ann, dm, '/task Compare the prices');
  await seen(stage, dm, /Which shop\?/);
  await seen(stage, dm, /waiting ·/);
  telegram.people.say(ann, dm, 'North');
  await seen(stage, dm, /^North is cheaper\.$/);
  await seen(stage, dm, /✅/);
  await stage.ask('What is the weather?', /^Nice weather\.$/);
  assert.doesNotMatch(JSON.stringify(model.requests[2]?.body), /Which shop/);
});

test('the owner delegates by the API, once for each key, sees what became of it, and cancels', async (t) => {
  const stage = await setStage(t);
  const { model, ann } = stage;
  const group = stage.telegram.addGroup({ title: 'Team', members: [ann, stage.bot] });
  const { url } = await playAntler(t, stage);
  const call = async (line: string, body?: object) => {
    const [method = '', path = ''] = line.split(' ');
    const at = new URL(`/api/v1/operations/tasks${path}`, url ?? '');
    const response = await fetch(at, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  model.script(text('Hello!'), text('Prices are up.'), { parts: [{ kind: 'hang' }] });
  await stage.ask('@antler_bot hello', /Hello!/, ann, group);
  const asked = {
    channel: 'telegram',
    chat: String(group.id),
    requester: `telegram//${ann.id}`,
    text: 'Look at prices',
    key: 'k1',
  };
  const { body: task } = await call('POST ', asked);
  assert.equal((await call('POST ', asked)).body.id, task.id);
  await seen(stage, group, /^@Ann\s+Prices are up\.$/);
  const done = await seen(stage, group, /✅ Look at prices/);
  assert.equal(done.replyTo, undefined);
  const { body: shown } = await call(`GET /${task.id}`);
  assert.deepEqual(
    shown.events.map(({ kind }: { readonly kind: string }) => kind),
    ['created', 'start', 'finish'],
  );
  assert.deepEqual([shown.task.state, shown.task.summary], ['done', 'Prices are up.']);
  const { body: second } = await call('POST ', { ...asked, key: 'k2', text: 'Dig' });
  assert.equal((await call(`POST /${second.id}/cancel`, {})).body.state, 'cancelled');
  await seen(stage, group, /🚫 Dig/);
  assert.deepEqual((await call('GET ')).body.tasks, []);
  assert.equal((await call('POST ', { ...asked, chat: '1' })).status, 404);
});

test('a task is handed to a person and back', async (t) => {
  const stage = await inGroup(t);
  const { telegram, model, group, ann, bo } = stage;
  model.handle(() => ({ parts: [{ kind: 'hang' }] }));
  telegram.people.say(ann, group, '/task Dig deep');
  const card = await seen(stage, group, /Dig deep[\s\S]*at work/);
  const list = await stage.ask('/tasks here', /Dig deep/, ann, group);
  const id = /[0-9a-z]{5}(?= Dig deep)/.exec(list.content.text)?.[0] ?? '';
  await stage.ask(`/tasks assign ${id} me`, /只有任务的委托人/, bo, group);
  await stage.ask(`/tasks assign ${id} me`, /@Ann the task “Dig deep” is yours now/, ann, group);
  await telegram.waitFor(
    group,
    (message) => message.id === card.id && /accepted[\s\S]*by Ann/.test(message.content.text),
  );
  model.handle(() => text('I am at the bottom.'));
  telegram.people.say(ann, group, `/tasks assign ${id} bot`);
  await seen(stage, group, /^@Ann\s+I am at the bottom\.$/);
  await stage.ask(`/tasks log ${id}`, /created[\s\S]*start[\s\S]*assign[\s\S]*assign[\s\S]*start/, ann, group);
});

test('a task is split into parts, which go on at once and whose results it joins into one', async (t) => {
  const stage = await inGroup(t);
  const { telegram, model, group, ann } = stage;
  const part = (title: string) => ['delegate_task', { title, text: `${title}, please.` }] as const;
  model.handle(({ messages }) => {
    const [all, last] = [JSON.stringify(messages), messages.at(-1)?.text ?? ''];
    if (/North shop, please/.test(all) && !/Compare shops/.test(all)) return text('North: 3 euros.');
    if (/South shop, please/.test(all) && !/Compare shops/.test(all)) return text('South: 2 euros.');
    if (/All parts of this task are over/.test(last))
      return text(/3 euros[\s\S]*2 euros|2 euros[\s\S]*3 euros/.test(last) ? 'South is cheaper.' : '?');
    return /has been taken on/.test(all) ? text('I wait.') : tools(part('North shop'), part('South shop'));
  });
  telegram.people.say(ann, group, '/task Compare shops');
  await seen(stage, group, /^@Ann\s+South is cheaper\.$/);
  await seen(stage, group, /✅ Compare shops\s+done/);
  await seen(stage, group, /✅ North shop\s+done/);
  const said = stage.said(group);
  assert.equal(said.length, 4, `three cards and one result: ${said.join(' | ')}`);
});

test('what is said to a card steers the work, a reply to the result takes it up again, a group that moves takes it along', async (t) => {
  const stage = await inGroup(t);
  const { telegram, model, group, ann, bo, bot } = stage;
  const first = Promise.withResolvers<void>();
  model.handle(async ({ messages }) => {
    const all = JSON.stringify(messages);
    if (/Make it cheaper/.test(all)) return text('Cheaper it is.');
    if (/and the ferry/.test(all)) return text('By train and ferry.');
    await first.promise;
    return tools(['calculator', { expression: '6*7' }]);
  });
  telegram.people.say(ann, group, '/task Plan the trip');
  const card = await seen(stage, group, /Plan the trip/);
  await model.waitForRequests(1, 10_000);
  telegram.people.say(bo, group, 'to Rome!', { replyTo: card });
  await seen(stage, group, /只有任务的委托人/);
  telegram.people.say(ann, group, 'and the ferry', { replyTo: card });
  await stage.ask('/tasks', /Plan the trip/, ann, group);
  first.resolve();
  const result = await seen(stage, group, /^@Ann\s+By train and ferry\.$/);
  assert.doesNotMatch(JSON.stringify(model.requests.map(({ body }) => body)), /to Rome/, 'an outsider steers nothing');

  const moved = telegram.people.migrate(ann, group);
  telegram.people.say(ann, moved, '/task Find a hotel and the ferry');
  await telegram.waitFor(
    moved,
    ({ from, content }) => from.id === bot.user.id && /By train and ferry/.test(content.text),
    10_000,
  );
  assert.ok(result.id > 0);
  await stage.ask('/tasks here', /no open tasks/, ann, moved);
  const again = await telegram.waitFor(
    moved,
    ({ from, content }) => from.id === bot.user.id && /By train/.test(content.text),
  );
  telegram.people.say(ann, moved, 'Make it cheaper', { replyTo: again });
  await telegram.waitFor(moved, ({ content }) => /Cheaper it is\./.test(content.text), 10_000);
});

test('a reaction makes a task of a message that was read along, one however many react, and none by other emoji', async (t) => {
  const stage = await setStage(t);
  const { telegram, model, ann, bo, bot } = stage;
  const group = telegram.addGroup({ title: 'Team', members: [ann, bo, bot] });
  telegram.people.promote(bot.user, group, ann);
  const plain = configOf(stage);
  const channel = plain.channels.telegram ?? assert.fail();
  const channels = { ...plain.channels, telegram: { ...channel, session: { ...channel.session, overhear: 20 } } };
  await playAntler(t, stage, { ...plain, channels, tasks: { ...plain.tasks, reactions: ['👀'] } });
  model.handle(() => text('It rains.'));
  const wish = telegram.people.say(bo, group, 'somebody should look at the weather');
  await stage.ask('@antler_bot hi', /It rains/, ann, group);
  telegram.people.react(ann, wish, '👍');
  telegram.people.react(ann, wish, '👀');
  telegram.people.react(bo, wish, '👀');
  await seen(stage, group, /✅ somebody should look at the weather[\s\S]*for Ann/);
  const result = await seen(stage, group, /^@Ann\s+It rains\.$/);
  assert.equal(result.replyTo?.content.text, 'somebody should look at the weather');
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /look at the weather/);
  assert.equal(stage.said(group).filter((said) => /weather/.test(said)).length, 1, 'there is one task');
  const next = telegram.people.say(bo, group, 'and the news');
  telegram.people.react(ann, next, '👀');
  await seen(stage, group, /and the news[\s\S]*for Ann/);
});

test('the group chats on while a task runs; who asked for it cancels it by its button, an outsider cannot', async (t) => {
  const stage = await inGroup(t);
  const { telegram, model, group, ann, bo } = stage;
  model.handle((request) =>
    /Dig deep/.test(JSON.stringify(request.messages)) ? { parts: [{ kind: 'hang' }] } : text('Hello!'),
  );
  telegram.people.say(ann, group, '/task Dig deep');
  const card = await seen(stage, group, /Dig deep[\s\S]*at work/);
  await stage.ask('@antler_bot hi', /^Hello!$/, bo, group);
  telegram.people.press(bo, card, 'Cancel');
  await seen(stage, group, /只有任务的委托人/);
  telegram.people.press(ann, card, 'Cancel');
  await seen(stage, group, /🚫 Dig deep\s+cancelled/);
  await stage.ask('/tasks here', /no open tasks/, ann, group);
  assert.equal(stage.said(group).filter((said) => said.includes('Dig deep')).length, 1, 'there is one card');
});
