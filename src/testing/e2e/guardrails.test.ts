import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import { configOf, playAntler, setStage } from './stage.ts';

test('a tool that the guardrails deny a person is neither offered nor run, and others have it', async (t) => {
  const stage = await setStage(t);
  const { ann, bo, bot, telegram, model } = stage;
  const rules = [{ effect: 'deny' as const, tools: ['calc*'], users: [`telegram/${ann.id}`] }];
  await playAntler(t, stage, { ...configOf(stage), guardrails: { rules } });
  const sum = tools(['calculator', { expression: '6*7' }]);

  model.script(sum, text('I may not do that.'));
  await stage.ask('6*7?', /^I may not do that\.$/);
  const [first, second] = model.requests.map(({ body }) => JSON.stringify(body));
  assert.doesNotMatch(first ?? '', /"name":"calculator"/);
  assert.match(second ?? '', /"role":"tool"[^}]*calculator is not allowed here/);

  model.script(sum, text('It is 42.'));
  await stage.ask('6*7?', /^It is 42\.$/, bo, telegram.openPrivateChat(bo, bot));
  assert.match(JSON.stringify(model.requests[3]?.body), /"role":"tool"[^}]*42/);
});

test('a tool that has to be asked for waits for an operator, in a task with its card; nobody else allows it, and once is once', async (t) => {
  const stage = await setStage(t);
  const { ann, bo, bot, telegram, model } = stage;
  const group = telegram.addGroup({ title: 'Team', members: [ann, bo, bot] });
  const rules = [{ effect: 'ask' as const, tools: ['calc*'], approver: 'operator' as const }];
  const plain = configOf(stage);
  const roles = { ...plain.roles, operator: { ...plain.roles.operator, users: [`telegram/${bo.id}`] } };
  await playAntler(t, stage, { ...plain, roles, guardrails: { rules } });
  const sum = tools(['calculator', { expression: '6*7' }]);
  const seen = (expected: RegExp) =>
    telegram.waitFor(group, ({ from, content }) => from.id === bot.user.id && expected.test(content.text), 10_000);

  model.script(sum, text('Please.'));
  telegram.people.say(ann, group, '/task What is 6*7?');
  const question = await seen(/I want to use calculator[\s\S]*Allow it once/);
  await seen(/❓ What is/);
  telegram.people.press(ann, question, 'Allow it once');
  await seen(/^@Ann\s+Please\./);
  assert.doesNotMatch(JSON.stringify(model.requests[1]?.body), /"role":"tool"[^}]*42/, 'who asked cannot allow it');

  model.script(sum, sum, text('It is 42.'));
  telegram.people.say(ann, group, '/task Once more 6*7?');
  const again = await telegram.waitFor(
    group,
    ({ id, content }) => id > question.id && /I want to use calculator/.test(content.text),
    10_000,
  );
  telegram.people.press(bo, again, 'Allow it once');
  await seen(/It is 42\./);
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /"role":"tool"[^}]*42/, 'it ran once it was allowed');
});
