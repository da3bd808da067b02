import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import { playAntler, setStage } from './stage.ts';

test('an assistant hands work to two sub-agents at once, the person sees them work, and reads one answer', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  let working = 0;
  let most = 0;
  stage.model.handle(async (request) => {
    const [system, ...messages] = request.messages;
    if (!/^You work on one task/.test(system?.text ?? ''))
      return messages.some(({ role }) => role === 'tool')
        ? text('Both are cheap.')
        : tools(
            ['task', { description: 'Prices of apples', prompt: 'Find out what apples cost.' }],
            ['task', { description: 'Prices of pears', prompt: 'Find out what pears cost.' }],
          );
    most = Math.max(most, ++working);
    await stage.telegram.waitFor(stage.dm, ({ content }) => /⏳.*apples[\s\S]*⏳.*pears/.test(content.text));
    working--;
    return text('They cost 2 euros.');
  });
  const answer = await stage.ask('What do apples and pears cost?', /Both are cheap/);
  assert.equal(most, 2);
  assert.equal(answer.content.text, 'Both are cheap.');
  assert.deepEqual(stage.said(stage.dm), ['Both are cheap.']);
  assert.match(JSON.stringify(stage.model.requests.at(-1)?.body), /apples \(general\): done.*pears \(general\): done/);
});
