import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Proposal } from '../../harness/proposals/port.ts';
import type { Pair } from './fixture.ts';

let count = 0;

/** A proposal of an assistant that no other test knows. */
function proposed(more: Partial<Proposal> = {}): Proposal {
  const n = `${process.pid}-${++count}`;
  return {
    id: `p${n}`,
    kind: 'soul',
    assistant: `lead${n}`,
    subject: `lead${n}`,
    before: null,
    after: 'Be kind.\n小心',
    base: 'abc',
    reason: 'They asked.',
    by: { id: 'telegram//7', name: 'Ann' },
    at: 1_000_000,
    status: 'open',
    decidedAt: null,
    ...more,
  };
}

export function proposalsContract(pair: () => Pair): void {
  describe('proposals', () => {
    test('a proposal is kept once, and found by every process', async () => {
      const { store, second } = pair();
      const one = proposed();
      await store.proposals.add(one);
      await second.proposals.add({ ...one, after: 'Something else.' });
      assert.deepEqual(await second.proposals.get(one.id), one);
      assert.equal(await store.proposals.countOpen(one.assistant), 1);
      assert.ok((await store.proposals.list(1_000)).some(({ id }) => id === one.id));
      assert.equal(await store.proposals.get('nothing'), null);
    });

    test('it is decided once, whoever is faster', async () => {
      const { store, second } = pair();
      const one = proposed();
      await store.proposals.add(one);
      const both = await Promise.all([
        store.proposals.decide(one.id, 'open', 'approved', 5),
        second.proposals.decide(one.id, 'open', 'rejected', 5),
      ]);
      assert.deepEqual(both.toSorted(), [false, true]);
      assert.equal(await store.proposals.countOpen(one.assistant), 0);
    });

    test('of what was approved the last one counts', async () => {
      const { store } = pair();
      const first = proposed();
      const next = { ...first, id: `${first.id}b`, before: first.after, after: 'Be brief.' };
      for (const one of [first, next]) await store.proposals.add(one);
      assert.equal(await store.proposals.lastApproved('soul', first.subject), null);
      await store.proposals.decide(first.id, 'open', 'approved', 5);
      await store.proposals.decide(next.id, 'open', 'approved', 6);
      assert.equal((await store.proposals.lastApproved('soul', first.subject))?.after, 'Be brief.');
      await store.proposals.decide(next.id, 'approved', 'undone', 7);
      assert.equal((await store.proposals.lastApproved('soul', first.subject))?.id, first.id);
    });
  });
}
