import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Step, text, tools } from '../../simulator/model/index.ts';
import { playAntler, setStage } from './stage.ts';

test('a list of things to do is one message that is edited, and becomes the answer', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  const { dm, model, telegram } = stage;
  const write = (...items: object[]): Step => tools(['todo_write', { items }]);
  const seen = (list: RegExp) => telegram.waitFor(dm, ({ content }) => list.test(content.text));
  const steps: (() => Promise<Step> | Step)[] = [
    () => write({ id: '1', text: 'Look', status: 'doing' }, { id: '2', text: 'Buy' }),
    async () => {
      await seen(/▶ Look\s+☐ Buy/);
      return write({ id: '1', status: 'done' }, { id: '2', status: 'doing' });
    },
    async () => {
      await seen(/☑ Look\s+▶ Buy/);
      return write({ id: '2', status: 'done' });
    },
    () => text('All done.'),
  ];
  model.handle(() => steps.shift()?.());
  await stage.ask('Plan a trip', /^All done\.$/);
  assert.deepEqual(stage.said(dm), ['All done.']);
});
