import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { newDelivery, newDraft } from '../contract/kit.ts';
import { createLanes, type Lane, nextOf } from './lanes.ts';

const draft = (lane: Lane, stream: string, text: string, alive = () => true): void => {
  lane.drafts.set(stream, { draft: newDraft(stream, text), alive });
};
const textOf = (lane: Lane): string | undefined => {
  const next = nextOf(lane);
  return next?.kind === 'draft' ? next.waiting.draft.parts[0]?.markdown : next?.head.delivery.document.markdown;
};

describe('lanes', () => {
  it('send what is to stay before any draft', () => {
    const lane = createLanes().get('telegram', '1');
    assert.equal(nextOf(lane), null);
    draft(lane, 's', 'unfinished');
    lane.head = { n: 1, delivery: newDelivery('answer'), attempt: 0, due: 0, enqueuedAt: 0 };
    assert.equal(textOf(lane), 'answer');
    lane.head = null;
    assert.equal(textOf(lane), 'unfinished');
  });

  it('forget the drafts of a run that is over', () => {
    const lane = createLanes().get('telegram', '1');
    draft(lane, 'over', 'from the grave', () => false);
    draft(lane, 'on', 'alive');
    assert.equal(textOf(lane), 'alive');
    assert.deepEqual([...lane.drafts.keys()], ['on']);
  });

  it('are one for each chat of each channel, whatever the names, until they are dropped', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(fc.string(), fc.string()), { selector: JSON.stringify }), (names) => {
        const lanes = createLanes();
        const all = names.map(([channel, chat]) => lanes.get(channel, chat));
        assert.equal(new Set(all.map((lane) => lane.key)).size, names.length);
        for (const [n, [channel, chat]] of names.entries()) assert.equal(lanes.get(channel, chat), all[n]);
        for (const lane of all) lanes.drop(lane);
        for (const [channel] of names) assert.deepEqual(lanes.of(channel), []);
      }),
    );
  });

  it('show of every stream only its newest stand, and none of it twice, streams in turn', () => {
    const step = fc.record({ stream: fc.constantFrom('a', 'b', 'c'), show: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lane = createLanes().get('telegram', '1');
        const waiting = new Map<string, number>();
        for (const [n, { stream, show }] of steps.entries()) {
          if (!show) {
            draft(lane, stream, `${n}`);
            waiting.set(stream, n);
            continue;
          }
          const [longest] = waiting;
          assert.equal(textOf(lane), longest === undefined ? undefined : `${longest[1]}`);
          if (longest === undefined) continue;
          waiting.delete(longest[0]);
          lane.drafts.delete(longest[0]);
        }
      }),
    );
  });
});
