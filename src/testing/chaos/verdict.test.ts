import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, judge } from './verdict.ts';

const nothing = { uncertain: new Set<number>(), dead: new Set<number>() };
const answer = (...numbers: readonly number[]): Answer => ({ numbers, orphaned: false });
const orphan = (...numbers: readonly number[]): Answer => ({ numbers, orphaned: true });

test('several messages that one answer answers, in order, are fine', () => {
  const conversation = { asked: [1, 2, 3], answers: [answer(1), answer(2, 3)] };
  const { answered, lost, twice, disordered } = judge([conversation], nothing);
  assert.deepEqual({ answered, lost, twice, disordered }, { answered: 3, lost: [], twice: [], disordered: [] });
});

test('what is lost, said twice, out of order or given up is a fault each', () => {
  const conversations = [
    { asked: [1, 2], answers: [answer(2)] },
    { asked: [3, 4], answers: [answer(3), answer(3, 4)] },
    { asked: [5, 6], answers: [answer(6), answer(5)] },
    { asked: [7], answers: [answer()] },
  ];
  const verdict = judge(conversations, { ...nothing, dead: new Set([7]) });
  assert.deepEqual(verdict.lost, [1]);
  assert.deepEqual(verdict.twice, [3]);
  assert.deepEqual(verdict.disordered, [conversations[2]]);
  assert.equal(verdict.dead, 1);
  assert.equal(verdict.otherWords, 1);
});

test('what is held as uncertain is counted apart, whether it arrived or not', () => {
  const conversation = { asked: [1, 2, 3], answers: [answer(1), answer(3)] };
  const verdict = judge([conversation], { ...nothing, uncertain: new Set([1, 2]) });
  assert.deepEqual(verdict.lost, []);
  assert.deepEqual([verdict.answered, verdict.uncertain, verdict.uncertainButSeen], [2, 1, 1]);
});

test('words after an orphaned stand are counted apart, but never two of either kind', () => {
  const conversations = [
    { asked: [1], answers: [orphan(1), answer(1)] },
    { asked: [2], answers: [orphan(2), answer(2), answer(2)] },
    { asked: [3], answers: [orphan(3), orphan(3)] },
  ];
  const { twice, afterOrphan } = judge(conversations, nothing);
  assert.deepEqual([twice, afterOrphan], [[2, 3], 1]);
});
