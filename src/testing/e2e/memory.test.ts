import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { text } from '../../simulator/model/index.ts';
import type { ChatRequest } from '../../simulator/model/wire.ts';
import { configOf, type Ground, playAntler, type Stage, setStage } from './stage.ts';

/** What the model that learns is asked with, instead of an answer to anybody. */
const isLearning = (request: ChatRequest): boolean =>
  JSON.stringify(request.messages[0]).includes('long-term memory of a chat');

/** An Antler that learns after a second of quiet, from a model that offers what `learn` says of a document. */
async function setMemory(t: TestContext, ground: Ground, learn: (document: string) => readonly object[]) {
  const stage = await setStage(t, ground);
  stage.model.handle((request) =>
    isLearning(request) ? text(JSON.stringify({ facts: learn(JSON.stringify(request.messages)) })) : text('answered'),
  );
  const config = configOf(stage);
  const group = stage.telegram.addGroup({ title: 'Team', members: [stage.ann, stage.bo, stage.bot] });
  const { telegram } = config.channels;
  assert.ok(telegram !== undefined);
  await playAntler(t, stage, {
    ...config,
    memory: { ...config.memory, debounce_seconds: 1 },
    channels: {
      telegram: {
        ...telegram,
        access: { ...telegram.access, dm: 'open', groups: 'allowlist', allow_groups: [String(group.id)] },
      },
    },
  });
  return { ...stage, group };
}

/** What the model was told in the last request for an answer, besides its instructions. */
function asked({ model }: Stage): string {
  const bodies = model.requests.map(({ body }) => body as unknown as ChatRequest);
  const last = bodies.findLast((body) => !isLearning(body));
  return JSON.stringify(last?.messages.filter(({ role }) => role !== 'system'));
}

const horse = {
  ...{ content: 'Rides a horse called ELOISE', category: 'knowledge', about: 'speaker', nature: 'fact' },
  ...{ durable: true, confidence: 0.95, source: 'm1' },
};

for (const ground of ['embedded', 'servers'] as const) {
  test(`${ground}: what was told in private is known in the next conversation, not in a group, and gone once forgotten`, async (t) => {
    const stage = await setMemory(t, ground, (document) => (document.includes('my horse') ? [horse] : []));
    const { ask, dm, group, telegram, bot, bo, said } = stage;
    await ask('I ride every day, my horse is called ELOISE', /^answered$/);
    await telegram.waitFor(
      dm,
      ({ from, content }) => from.id === bot.user.id && /Remembered:[\s\S]*ELOISE/.test(content.text),
      15_000,
    );

    await ask('/new', /new conversation|fresh|anew|start/i);
    await ask('What is my horse called?', /^answered$/);
    assert.match(asked(stage), /<memory of=\\"Ann\\">[^<]*Rides a horse called ELOISE/);
    await ask('And how old may she be?', /^answered$/);
    assert.equal(
      asked(stage).split('Rides a horse called').length,
      2,
      'told in this turn, and not as part of the history',
    );

    await ask('@antler_bot what is my horse called?', /^answered$/, stage.ann, group);
    assert.doesNotMatch(asked(stage), /ELOISE|<memory/);
    const theirs = telegram.openPrivateChat(bo, bot);
    await ask('What is the horse called?', /^answered$/, bo, theirs);
    assert.doesNotMatch(asked(stage), /ELOISE|<memory of/);

    await ask('/memory', /1\. Rides a horse called ELOISE/);
    await ask('/memory forget 1', /Forgotten/);
    await ask('/new', /new conversation|fresh|anew|start/i);
    await ask('What is she called?', /^answered$/);
    assert.doesNotMatch(asked(stage), /ELOISE/);
    assert.ok(said(dm).length > 0);
  });
}
