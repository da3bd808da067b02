import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type ModelSimulator, type Step, text } from '../../simulator/model/index.ts';
import { setStage as setFeishu } from './feishu-stage.ts';
import { setStage as setSlack } from './slack-stage.ts';

/** A platform whose people can take their messages back. */
interface Place {
  readonly model: ModelSimulator;
  /** Says something to the bot; the result takes it back. */
  say(words: string): () => void;
  ask(words: string, expected: RegExp): Promise<unknown>;
  said(): readonly string[];
}

const places: Readonly<Record<string, (t: TestContext) => Promise<Place>>> = {
  feishu: async (t) => {
    const { feishu, model, ann, dm, ask, said } = await setFeishu(t, 'websocket');
    return {
      model,
      say: (words) => {
        const message = feishu.people.say(ann, dm, words);
        return () => feishu.people.recall(ann, message);
      },
      ask,
      said: () => said(dm),
    };
  },
  slack: async (t) => {
    const { slack, model, ann, dm, ask, said } = await setSlack(t);
    return {
      model,
      say: (words) => {
        const message = slack.people.say(ann, dm, words);
        return () => slack.people.delete(message);
      },
      ask,
      said: () => said(dm),
    };
  },
};

const hanging: Step = { parts: [{ kind: 'hang' }] };
const slow = (words: string, ms: number): Step => ({
  parts: [
    { kind: 'wait', ms },
    { kind: 'text', text: words },
  ],
});
const asked = (model: ModelSimulator, request: number): string => JSON.stringify(model.requests[request]?.body);

for (const [name, open] of Object.entries(places)) {
  test(`${name}: what is taken back while it waits is never answered, and what waits beside it is`, async (t) => {
    const { model, say, ask, said } = await open(t);
    model.script(slow('first answer', 1_500), text('second answer'));
    say('question one');
    await model.waitForRequests(1);
    const takeBack = say('question two');
    say('question three');
    await new Promise((resolve) => setTimeout(resolve, 300)); // until both have surely come in
    takeBack();
    await ask('question four', /^second answer$/);
    assert.match(asked(model, 1), /three[\s\S]*four/);
    assert.doesNotMatch(asked(model, 1), /question two/);
    assert.deepEqual([said(), model.requests.length], [['first answer', 'second answer'], 2]);
  });

  test(`${name}: what is taken back while it is answered alone ends the run, and what waits behind is answered`, async (t) => {
    const { model, say, said, ask } = await open(t);
    model.script(hanging, text('second answer'));
    const takeBack = say('question one');
    await model.waitForRequests(1);
    const waits = ask('question two', /^second answer$/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    takeBack();
    await waits;
    assert.deepEqual([said(), model.requests.length], [['second answer'], 2]);
  });

  test(`${name}: what is taken back while it is answered with others does not end their answer`, async (t) => {
    const { model, say, said, ask } = await open(t);
    model.script(slow('first answer', 700), slow('both answered', 1_500), text('third answer'));
    say('question one');
    await model.waitForRequests(1);
    const takeBack = say('question two');
    say('question three');
    await model.waitForRequests(2, 10_000);
    assert.match(asked(model, 1), /two[\s\S]*three/);
    takeBack();
    await ask('question four', /^third answer$/);
    assert.deepEqual(said(), ['first answer', 'both answered', 'third answer']);
  });
}
