import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import type { Chat, Message } from '../../simulator/telegram/index.ts';
import { playAntler, type Stage, setStage } from './stage.ts';

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
  await seen(stage, group, /Compare the prices[\s\S]*waiting for an answer/);
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
  await seen(stage, group, /只有任务的相关人（Ann）/);
  telegram.people.press(ann, card, 'Cancel');
  await seen(stage, group, /🚫 Dig deep\s+cancelled/);
  await stage.ask('/tasks here', /no open tasks/, ann, group);
  assert.equal(stage.said(group).filter((said) => said.includes('Dig deep')).length, 1, 'there is one card');
});
