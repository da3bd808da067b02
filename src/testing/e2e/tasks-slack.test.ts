import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import { shownText } from '../../simulator/slack/index.ts';
import { setStage } from './slack-stage.ts';

const report = tools(['send_file', { name: 'prices.csv', content: 'a,b' }]);
const which = tools(['ask_clarification', { question: 'Which shop?', options: ['North', 'South'] }]);

test('a task in a channel: its card, question and result stand in the thread of the request, one card for all of it', async (t) => {
  const { slack, model, ann, bo, channel, answer, said } = await setStage(t);
  model.handle(({ messages }) => {
    const all = JSON.stringify(messages);
    if (!/Compare the prices/.test(all)) return text('Hello!');
    if (!/Which shop/.test(all)) return which;
    return /prices\.csv/.test(all) ? text('North is cheaper.') : report;
  });
  const request = slack.people.say(ann, channel, '@antler /task Compare the prices');
  const card = await answer(request, /Compare the prices/);
  assert.equal(card.threadTs, request.ts);
  await answer(request, /Which shop\?/);
  await answer(slack.people.say(bo, channel, '@antler hello'), /^Hello!$/);
  slack.people.say(ann, channel, 'North', { thread: request });
  const result = await answer(request, /North is cheaper/);
  assert.ok(shownText(result).startsWith(`<@${ann.id}>`), 'it calls who asked');
  await slack.waitFor(channel, ({ files }) => files.length > 0);
  await answer(request, /✅[\s\S]*done/);
  assert.equal(said(channel).filter((shown) => shown.includes('Compare the prices')).length, 1, 'there is one card');
  assert.equal(slack.calls.list().filter(({ error }) => error !== undefined).length, 0, 'Slack refused nothing');
});

test('who asked for a task cancels it by its button in Slack, an outsider cannot', async (t) => {
  const { slack, model, ann, bo, channel, answer } = await setStage(t);
  model.handle(() => ({ parts: [{ kind: 'hang' }] }));
  const request = slack.people.say(ann, channel, '@antler /task Dig deep');
  const card = await answer(request, /Dig deep[\s\S]*at work/);
  slack.people.press(bo, card, 'Cancel');
  await answer(request, /只有任务的委托人/);
  slack.people.press(ann, card, 'Cancel');
  await answer(request, /🚫[\s\S]*cancelled/);
});
