import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Config } from '../../config/schema/config.ts';
import { text, tools } from '../../simulator/model/index.ts';
import type { Chat } from '../../simulator/telegram/index.ts';
import { configOf, type Ground, playAntler, type Stage, setStage } from './stage.ts';

/** A stage with a plain group, in which the bot answers because the group is listed by its id. */
async function setGroup(t: TestContext, ground?: Ground) {
  const stage = await setStage(t, ground);
  const { telegram, ann, bo, bot } = stage;
  const group = telegram.addGroup({ title: 'Team', kind: 'group', members: [ann, bo, bot] });
  await playAntler(t, stage, listing(configOf(stage), group));
  return { ...stage, group };
}

function listing(config: Config, group: Chat): Config {
  const { telegram } = config.channels;
  assert.ok(telegram !== undefined);
  const access = { ...telegram.access, groups: 'allowlist' as const, allow_groups: [String(group.id)] };
  return { ...config, channels: { telegram: { ...telegram, access } } };
}

const known = (stage: Stage): string => JSON.stringify(stage.model.requests.at(-1)?.body);

for (const ground of ['embedded', 'servers'] as const) {
  test(`${ground}: a group that becomes a supergroup keeps its conversation, and its place in allow_groups`, async (t) => {
    const stage = await setGroup(t, ground);
    const { telegram, model, ask, group, ann, bo } = stage;
    model.handle(() => text('noted'));
    await ask('@antler_bot we call it Elk', /^noted$/, ann, group);
    const supergroup = telegram.people.migrate(ann, group);
    model.handle(() => text('Elk'));
    await ask('@antler_bot what do we call it?', /^Elk$/, bo, supergroup);
    assert.match(known(stage), /we call it Elk/);
    const other = telegram.addGroup({ title: 'Other', members: [ann, stage.bot] });
    telegram.people.say(ann, other, '@antler_bot and here?');
    await ask('@antler_bot once more', /^Elk$/, bo, supergroup);
    assert.deepEqual(stage.said(other), [], 'a group that is not listed stays shut out');
  });
}

test('a button of a question that was asked before the group became a supergroup still answers it', async (t) => {
  const stage = await setGroup(t);
  const { telegram, model, ask, group, ann } = stage;
  model.script(
    tools(['ask_clarification', { question: 'Which day?', options: ['Friday', 'Saturday'] }]),
    text('Booked for Friday.'),
  );
  const question = await ask('@antler_bot book a table', /Which day/, ann, group);
  const supergroup = telegram.people.migrate(ann, group);
  telegram.people.press(ann, question, 'Friday');
  await telegram.waitFor(supergroup, ({ content }) => content.text === 'Booked for Friday.');
  assert.match(known(stage), /is: 1\. Friday/);
});

test('an answer that is being given while its group becomes a supergroup arrives there, whole', async (t) => {
  const stage = await setGroup(t);
  const { telegram, model, group, ann } = stage;
  const pieces = Array.from({ length: 12 }, (_, n) => ({ kind: 'text' as const, text: `word${n} `, delayMs: 150 }));
  model.script({ parts: pieces });
  telegram.people.say(ann, group, '@antler_bot tell me a lot');
  await telegram.waitFor(group, ({ content }) => content.text.includes('word0'));
  const supergroup = telegram.people.migrate(ann, group);
  const answer = await telegram.waitFor(supergroup, ({ content }) => content.text.includes('word11'));
  assert.match(answer.content.text, /^word0 .*word11$/);
});

test('who joins, leaves or reacts is answered with nothing, and the model hears nothing of it', async (t) => {
  const stage = await setGroup(t);
  const { telegram, model, ask, group, ann, bo } = stage;
  model.handle(() => text('yes'));
  const answer = await ask('@antler_bot there?', /^yes$/, ann, group);
  telegram.people.react(bo, answer, '👍');
  telegram.people.leave(bo, group);
  telegram.people.join(bo, group);
  await ask('@antler_bot still there?', /^yes$/, ann, group);
  assert.deepEqual([stage.said(group), model.requests.length], [['yes', 'yes'], 2]);
  assert.doesNotMatch(known(stage), /👍|小波/);
});
