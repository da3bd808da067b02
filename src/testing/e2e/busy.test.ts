import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { BusyPolicy } from '../../channel/busy.ts';
import { type Step, text, tools } from '../../simulator/model/index.ts';
import { configOf, playAntler, type Stage, setStage } from './stage.ts';

/** Antler with one policy for what comes while it answers. */
async function playBusy(t: TestContext, busy: BusyPolicy): Promise<Stage> {
  const stage = await setStage(t);
  const file = join(stage.folder, 'config.yaml');
  const access = 'api_root: $TELEGRAM_API_ROOT, bot_token: $TELEGRAM_BOT_TOKEN';
  writeFileSync(file, `channels:\n  telegram: { ${access}, busy: ${busy}, burst: { wait_busy_ms: 50 } }\n`);
  await playAntler(t, stage, configOf(stage, { ANTLER_CONFIG: file }));
  return stage;
}

/** An answer that takes `ms`. */
const slow = (words: string, ms: number): Step => ({
  parts: [
    { kind: 'wait', ms },
    { kind: 'text', text: words },
  ],
});

const newestQuestion = (stage: Stage, request: number): string =>
  JSON.stringify(stage.model.requests[request]?.request.messages.slice(-3));

test('collect: what comes during an answer is answered together, after it', async (t) => {
  const stage = await playBusy(t, 'collect');
  stage.model.script(slow('first answer', 700), text('both answered'));
  stage.telegram.people.say(stage.ann, stage.dm, 'one');
  await stage.model.waitForRequests(1);
  stage.telegram.people.say(stage.ann, stage.dm, 'two');
  await stage.ask('three', /both answered/);
  assert.deepEqual(stage.said(stage.dm), ['first answer', 'both answered']);
  assert.match(newestQuestion(stage, 1), /two[\s\S]*three/);
});

test('queue: each message gets an answer of its own, in order', async (t) => {
  const stage = await playBusy(t, 'queue');
  stage.model.script(slow('answer 1', 500), text('answer 2'), text('answer 3'));
  stage.telegram.people.say(stage.ann, stage.dm, 'one');
  await stage.model.waitForRequests(1);
  stage.telegram.people.say(stage.ann, stage.dm, 'two');
  await stage.ask('three', /answer 3/);
  assert.deepEqual(stage.said(stage.dm), ['answer 1', 'answer 2', 'answer 3']);
});

test('steer: a running answer hears what is said to it', async (t) => {
  const stage = await playBusy(t, 'steer');
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

test('interrupt: a new message ends the running answer and is answered at once', async (t) => {
  const stage = await playBusy(t, 'interrupt');
  stage.model.script({ parts: [{ kind: 'hang' }] }, text('second answer'));
  stage.telegram.people.say(stage.ann, stage.dm, 'one');
  await stage.model.waitForRequests(1);
  await stage.ask('two', /second answer/);
  assert.deepEqual(stage.said(stage.dm), ['second answer']);
  assert.match(newestQuestion(stage, 1), /one[\s\S]*two/);
});

test('reject: messages that come during an answer are refused, in one sentence', async (t) => {
  const stage = await playBusy(t, 'reject');
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
