import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { BusyPolicy } from '../../channel/busy.ts';
import { type Step, text, tools } from '../../simulator/model/index.ts';
import { configOf, type Ground, playAntler, type Stage, setStage } from './stage.ts';

/** Antler with settings of its Telegram channel. */
async function playWith(t: TestContext, stage: Stage, settings: string): Promise<Stage> {
  const file = join(stage.folder, 'config.yaml');
  const access = 'api_root: $TELEGRAM_API_ROOT, bot_token: $TELEGRAM_BOT_TOKEN';
  writeFileSync(file, `channels:\n  telegram: { ${access}, burst: { wait_busy_ms: 50 }, ${settings} }\n`);
  await playAntler(t, stage, configOf(stage, { ANTLER_CONFIG: file }));
  return stage;
}

/** Antler with one policy for what comes while it answers. */
const playBusy = async (t: TestContext, busy: BusyPolicy, ground?: Ground): Promise<Stage> =>
  playWith(t, await setStage(t, ground), `busy: ${busy}`);

/** An answer that takes `ms`. */
const slow = (words: string, ms: number): Step => ({
  parts: [
    { kind: 'wait', ms },
    { kind: 'text', text: words },
  ],
});

const newestQuestion = (stage: Stage, request: number): string =>
  JSON.stringify(stage.model.requests[request]?.request.messages.slice(-3));

for (const ground of ['embedded', 'servers'] as const) {
  test(`${ground}: collect: what comes during an answer is answered together, after it`, async (t) => {
    const stage = await playBusy(t, 'collect', ground);
    stage.model.script(slow('first answer', 700), text('both answered'));
    stage.telegram.people.say(stage.ann, stage.dm, 'one');
    await stage.model.waitForRequests(1);
    stage.telegram.people.say(stage.ann, stage.dm, 'two');
    await stage.ask('three', /both answered/);
    assert.deepEqual(stage.said(stage.dm), ['first answer', 'both answered']);
    assert.match(newestQuestion(stage, 1), /two[\s\S]*three/);
  });

  test(`${ground}: queue: each message gets an answer of its own, in order`, async (t) => {
    const stage = await playBusy(t, 'queue', ground);
    stage.model.script(slow('answer 1', 500), text('answer 2'), text('answer 3'));
    stage.telegram.people.say(stage.ann, stage.dm, 'one');
    await stage.model.waitForRequests(1);
    stage.telegram.people.say(stage.ann, stage.dm, 'two');
    await stage.ask('three', /answer 3/);
    assert.deepEqual(stage.said(stage.dm), ['answer 1', 'answer 2', 'answer 3']);
  });

  test(`${ground}: steer: a running answer hears what is said to it`, async (t) => {
    const stage = await playBusy(t, 'steer', ground);
    const calling = tools(['calculator', { expression: '1+1' }]);
    stage.model.script(
      { parts: [{ kind: 'wait', ms: 700 }, ...('parts' in calling ? calling.parts : [])] },
      text('in euros: 2'),
    );
    stage.telegram.people.say(stage.ann, stage.dm, 'what does it cost?');
    await stage.model.waitForRequests(1);
    await stage.ask('in euros please', /in euros: 2/);
    assert.match(newestQuestion(stage, 1), /in euros please/);
    assert.deepEqual(stage.said(stage.dm), ['in euros: 2']);
    assert.equal(stage.model.requests.length, 2);
  });

  test(`${ground}: interrupt: a new message ends the running answer and is answered at once`, async (t) => {
    const stage = await playBusy(t, 'interrupt', ground);
    stage.model.script({ parts: [{ kind: 'hang' }] }, text('second answer'));
    stage.telegram.people.say(stage.ann, stage.dm, 'one');
    await stage.model.waitForRequests(1);
    await stage.ask('two', /second answer/);
    assert.deepEqual(stage.said(stage.dm), ['second answer']);
    assert.match(newestQuestion(stage, 1), /one[\s\S]*two/);
  });

  test(`${ground}: reject: messages that come during an answer are refused, in one sentence`, async (t) => {
    const stage = await playBusy(t, 'reject', ground);
    stage.model.script(slow('first answer', 1_500));
    stage.telegram.people.say(stage.ann, stage.dm, 'one');
    await stage.model.waitForRequests(1);
    await stage.ask('two', /did not take this one/);
    stage.telegram.people.say(stage.ann, stage.dm, 'three');
    stage.telegram.people.say(stage.ann, stage.dm, 'four');
    await stage.telegram.waitFor(stage.dm, ({ content }) => content.text === 'first answer');
    assert.equal(stage.model.requests.length, 1);
    assert.equal(stage.said(stage.dm).length, 2, 'the words about a flood do not go out one by one before the answer');
  });
}

test('a message that is edited while it waits is answered as it reads then', async (t) => {
  const stage = await playBusy(t, 'collect');
  stage.model.script(slow('first answer', 900), text('second answer'));
  stage.telegram.people.say(stage.ann, stage.dm, 'one');
  await stage.model.waitForRequests(1);
  const typo = stage.telegram.people.say(stage.ann, stage.dm, 'what is the capital of Autsria?');
  await new Promise((resolve) => setTimeout(resolve, 300));
  stage.telegram.people.edit(typo, 'what is the capital of Austria?');
  await stage.telegram.waitFor(stage.dm, ({ content }) => content.text === 'second answer');
  const asked = JSON.stringify(stage.model.requests[1]?.body);
  assert.match(asked, /capital of Austria/);
  assert.doesNotMatch(asked, /Autsria|edited/);
});

test('a chat with a policy of its own follows it, on Redis, and the others that of the channel', async (t) => {
  const stage = await setStage(t, 'servers');
  const { telegram, model, ann, bo, bot, dm } = stage;
  const group = telegram.addGroup({ title: 'Team', members: [ann, bo, bot] });
  const own = `'${group.id}': { busy: interrupt, group_scope: user, require_mention: false }`;
  await playWith(t, stage, `busy: collect, access: { groups: open, dm: open }, chats: { ${own} }`);
  const asked = (body: unknown): string => /question ([a-z0-9]+)(?!.*question)/s.exec(JSON.stringify(body))?.[1] ?? '?';
  model.handle((request) => {
    const name = asked(request.messages);
    if (name === 'hangs') return { parts: [{ kind: 'hang' }] };
    return name === 'slow' ? slow('answer slow', 900) : text(`answer ${name}`);
  });
  // Nobody calls the bot by its name there, and each has a conversation of their own.
  telegram.people.say(ann, group, 'question hangs');
  await model.waitForRequests(1);
  await stage.ask('question bo', /^answer bo$/, bo, group);
  assert.equal(model.requests.length, 2, 'the other one was not interrupted');
  await stage.ask('question ann', /^answer ann$/, ann, group);
  telegram.people.say(ann, dm, 'question slow');
  await model.waitForRequests(4);
  telegram.people.say(ann, dm, 'question two');
  await stage.ask('question three', /^answer three$/);
  assert.deepEqual(stage.said(dm), ['answer slow', 'answer three']);
  assert.deepEqual(stage.said(group), ['answer bo', 'answer ann']);
});

for (const ground of ['embedded', 'servers'] as const) {
  test(`${ground}: /new drops what waits and ends what runs, and says so`, async (t) => {
    const stage = await playBusy(t, 'queue', ground);
    stage.model.script({ parts: [{ kind: 'hang' }] }, text('fresh answer'));
    stage.telegram.people.say(stage.ann, stage.dm, 'one');
    await stage.model.waitForRequests(1);
    stage.telegram.people.say(stage.ann, stage.dm, 'two');
    stage.telegram.people.say(stage.ann, stage.dm, 'three');
    await stage.ask('/new', /new conversation[\s\S]*\n\n3 messages that I had not answered yet/);
    await stage.ask('four', /^fresh answer$/);
    await stage.ask('/new', /no longer in my mind\.$/);
    assert.equal(stage.model.requests.length, 2);
    assert.doesNotMatch(newestQuestion(stage, 1), /two|three/);
    assert.equal(stage.said(stage.dm).length, 3);
  });
}
