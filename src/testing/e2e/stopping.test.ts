import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text } from '../../simulator/model/index.ts';
import { configOf, playAntler, setStage } from './stage.ts';

for (const ground of ['embedded', 'servers'] as const) {
  test(`${ground}: who stops while an answer hangs on its way tells the person that it may be missing`, async (t) => {
    const stage = await setStage(t, ground);
    const config = configOf(stage);
    const antler = await playAntler(t, stage, config);
    stage.model.script(text('The answer.'));
    stage.telegram.faults.plan('sendMessage', { kind: 'hang' });
    stage.telegram.people.say(stage.ann, stage.dm, 'question 1');
    await stage.telegram.calls.waitFor('sendMessage', 1);
    await antler.stop(200);
    await playAntler(t, stage, config);
    await stage.telegram.waitFor(stage.dm, ({ content }) => /I cannot tell whether/.test(content.text), 15_000);
    await stage.ask('/again', /^The answer\.$/);
    assert.equal(stage.said(stage.dm).filter((said) => said === 'The answer.').length, 1);
  });
}
