import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import { playAntler, setStage } from './stage.ts';

test('what somebody schedules is done at its time, as if they had said it then, and listed until', async (t) => {
  const stage = await setStage(t);
  const { model, telegram, dm } = stage;
  await playAntler(t, stage);
  await stage.ask('/schedules', /Nothing is scheduled/);
  await stage.ask('/at yesterday do it', /time that is yet to come/);
  await stage.ask('/every weekday 9:00 the news in brief', /^Scheduled for \w+day.* 09:00: the news in brief$/);
  await stage.ask('/schedules', /1\. \w+day.*09:00 · the news in brief · 0 9 \* \* 1-5 /);
  await stage.ask('/schedules pause 1', /^Paused: the news/);
  await stage.ask('/schedules', /1\. paused · the news/);
  await stage.ask('/schedules remove 1', /^Removed: the news/);
  await stage.ask('/schedules remove 1', /Nothing is scheduled under this number/);

  const soon = new Date(Date.now() + 2_500).toISOString();
  model.script(
    tools(['schedule', { what: 'Remind me of the tea', at: soon }]),
    text('I will remind you.'),
    text('The tea is ready.'),
  );
  await stage.ask('remind me of the tea in a moment', /^I will remind you\.$/);
  await telegram.waitFor(dm, ({ content }) => content.text === 'The tea is ready.', 15_000);
  assert.match(
    JSON.stringify(model.requests.at(-1)?.body),
    /by a schedule of theirs, not just now\) Remind me of the tea/,
  );
  await stage.ask('/schedules', /Nothing is scheduled/);
  assert.equal(model.requests.length, 3);
});
