import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text, tools } from '../../simulator/model/index.ts';
import { playAntler, setStage } from './stage.ts';

const which = tools(['ask_clarification', { question: 'Which day?', options: ['Friday', 'Saturday'] }]);

test('a question is answered by its number', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage);
  stage.model.script(which, text('Booked for Saturday.'));
  await stage.ask('Book a table', /^Which day\?\s+1\. Friday\s+2\. Saturday$/);
  await stage.ask('2', /^Booked for Saturday\.$/);
  assert.match(JSON.stringify(stage.model.requests[1]?.body), /is: 2\. Saturday/);
});

test('a question is answered by a button, and an old button answers no newer question', async (t) => {
  const stage = await setStage(t);
  const { ann, dm, telegram, model } = stage;
  await playAntler(t, stage);
  model.script(which, text('Booked for Friday.'), which, text('Which of your evenings do you mean?'));
  const first = await stage.ask('Book a table', /Which day/);
  telegram.people.press(ann, first, 'Friday');
  await telegram.waitFor(dm, ({ content }) => content.text === 'Booked for Friday.');
  assert.match(JSON.stringify(model.requests[1]?.body), /Friday[^"]*is: 1\. Friday/);

  await stage.ask('Another one', /Which day/);
  telegram.people.press(ann, first, 'Friday');
  await telegram.waitFor(dm, ({ content }) => /Which of your/.test(content.text));
  assert.match(JSON.stringify(model.requests[3]?.body), /earlier question/);
});

test('a question that was asked before a restart is answered after it', async (t) => {
  const stage = await setStage(t);
  const before = await playAntler(t, stage);
  stage.model.script(which);
  await stage.ask('Book a table', /Which day/);
  await before.stop();
  await playAntler(t, stage);
  stage.model.script(text('Booked for Saturday.'));
  await stage.ask('2', /^Booked for Saturday\.$/);
  assert.match(JSON.stringify(stage.model.requests[1]?.body), /is: 2\. Saturday/);
});
