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
