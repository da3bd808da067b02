import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeishuOptions } from '../../simulator/feishu/index.ts';
import { setStage } from './feishu-stage.ts';

type Stage = Awaited<ReturnType<typeof setStage>>;

const CONTENT = 'PUT /cardkit/v1/cards/:id/elements/:id/content';
const CALLS = ['POST /im/v1/messages', 'PATCH /cardkit/v1/cards/:id/settings', CONTENT];
const words = Array.from({ length: 20 }, (_, i) => `word${i}`);

/** What goes wrong while an answer grows, and what the platform is like. */
const troubles: readonly [string, (stage: Stage) => void, FeishuOptions['limits']?][] = [
  ['its card closes by itself in the middle', () => {}, { streamingMs: 300 }],
  ['CardKit lacks its scope', ({ app }) => app.lacks.add('cardkit:card:write')],
  ['its card is refused', ({ feishu }) => feishu.faults.plan('POST /im/v1/messages', { kind: 'refuse', code: 230099 })],
  ['its card cannot be found', ({ feishu }) => feishu.faults.plan(CONTENT, { kind: 'refuse', code: 200750 })],
  ['a stand of it is refused', ({ feishu }) => feishu.faults.plan(CONTENT, { kind: 'refuse', code: 11310 })],
  [
    'every stand of it is refused',
    ({ feishu }) => feishu.faults.plan(CONTENT, { kind: 'refuse', code: 11310 }, Infinity),
  ],
  [
    'the end of the stream is refused',
    ({ feishu }) => feishu.faults.plan('PATCH /cardkit/v1/cards/:id/settings', { kind: 'refuse', code: 300305 }),
  ],
  [
    'Feishu asks to slow down',
    ({ feishu }) => feishu.faults.plan(CONTENT, { kind: 'refuse', code: 99991400, resetSeconds: 1 }),
  ],
  [
    'Feishu asks to slow down, and again at its end',
    ({ feishu }) => {
      const slow = { kind: 'refuse', code: 99991400, status: 429, resetSeconds: 1 } as const;
      feishu.faults.plan(CONTENT, slow, 2);
      feishu.faults.plan('PATCH /cardkit/v1/cards/:id/settings', slow, 2);
    },
  ],
  ['its token ends in the middle', ({ feishu }) => feishu.faults.plan(CONTENT, { kind: 'refuse', code: 99991663 })],
  ['a newer change came first', ({ feishu }) => feishu.faults.plan(CONTENT, { kind: 'refuse', code: 300317 })],
  [
    'a proxy’s page comes instead of Feishu’s answer',
    ({ feishu }) => feishu.faults.plan(CONTENT, { kind: 'raw', status: 200, body: '<html>' }),
  ],
  ['an answer of Feishu’s is lost', ({ feishu }) => feishu.faults.plan(CONTENT, { kind: 'drop', processed: true })],
];

for (const [trouble, cause, limits] of troubles) {
  test(`the whole answer arrives once when ${trouble}`, async (t) => {
    const stage = await setStage(t, 'websocket', limits);
    const { feishu, model, app, dm, ann, said } = stage;
    cause(stage);
    model.script({ parts: words.map((word) => ({ kind: 'text' as const, text: `${word} `, delayMs: 60 })) });
    feishu.people.say(ann, dm, 'Tell me a lot');
    const whole = words.join(' ');
    const answer = await feishu.waitFor(
      dm,
      (message) => message.from === app && feishu.text(message) === whole,
      15_000,
    );
    const deadline = Date.now() + 5_000;
    while ((said(dm).length > 1 || answer.card?.streamingSince !== undefined) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(said(dm), [whole]);
    assert.equal(answer.card?.streamingSince, undefined);
    const isLeft = CALLS.some((call) => feishu.faults.take(call) !== undefined);
    assert.equal(isLeft, trouble.startsWith('every'), 'the trouble was met');
  });
}
