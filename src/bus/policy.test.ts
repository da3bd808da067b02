import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { BusyPolicy } from '../channel/busy.ts';
import { cutSteered, cutTurn, isRefused, type Waiting } from './policy.ts';

const policies: readonly BusyPolicy[] = ['collect', 'queue', 'steer', 'interrupt', 'reject'];
const anInbox = fc
  .array(fc.constantFrom(...policies), { minLength: 1, maxLength: 40 })
  .chain((busy) => fc.tuple(fc.constant(busy), fc.nat({ max: busy.length })))
  // What was tried is always at the head.
  .map(([list, tried]) => list.map((busy, n): Waiting & { n: number } => ({ busy, tried: n < tried, n })));

const untried = (...list: BusyPolicy[]): Waiting[] => list.map((busy) => ({ busy, tried: false }));
const cutAll = <Input extends Waiting>(inbox: readonly Input[]): (readonly Input[])[] => {
  const turns: (readonly Input[])[] = [];
  for (let rest = inbox; rest.length > 0; rest = rest.slice(turns.at(-1)?.length ?? rest.length))
    turns.push(cutTurn(rest).turn);
  return turns;
};

describe('policies', () => {
  it('cut one turn out of all but a queued input', () => {
    for (const [inbox, length, closed] of [
      [untried(), 0, false],
      [untried('collect'), 1, false],
      [untried('collect', 'steer', 'interrupt', 'reject'), 4, false],
      [untried('queue'), 1, true],
      [untried('queue', 'collect'), 1, true],
      [untried('collect', 'queue', 'collect'), 1, true],
    ] as const) {
      const cut = cutTurn(inbox);
      assert.deepEqual([cut.turn.length, cut.closed], [length, closed]);
    }
  });

  it('keep together what a run was handed before', () => {
    const steeredIntoAQueuedTurn: Waiting[] = [
      { busy: 'queue', tried: true },
      { busy: 'steer', tried: true },
      ...untried('steer', 'collect'),
    ];
    assert.equal(cutTurn(steeredIntoAQueuedTurn).turn.length, 2);
    const joinedByMore: Waiting[] = [{ busy: 'collect', tried: true }, ...untried('collect', 'queue')];
    assert.equal(cutTurn(joinedByMore).turn.length, 2);
  });

  it('lose, double and reorder nothing, give queued inputs turns of their own, and no more turns than needed', () => {
    fc.assert(
      fc.property(anInbox, (inbox) => {
        const turns = cutAll(inbox);
        assert.deepEqual(turns.flat(), inbox);
        for (const [place, turn] of turns.entries()) {
          assert.ok(turn.length > 0);
          const fresh = turn.filter((input) => !input.tried);
          if (fresh.some((input) => input.busy === 'queue')) assert.equal(turn.length, 1);
          const next = turns[place + 1]?.[0];
          if (next !== undefined) assert.ok(turn[0]?.busy === 'queue' || next.busy === 'queue');
        }
      }),
    );
  });

  it('do not cut what came first differently because of what comes later', () => {
    fc.assert(
      fc.property(anInbox, fc.constantFrom(...policies), (inbox, busy) => {
        const before = cutTurn(inbox);
        const after = cutTurn([...inbox, { busy, tried: false, n: inbox.length }]);
        assert.deepEqual(after.turn.slice(0, before.turn.length), before.turn);
        if (before.closed) assert.deepEqual(after, before);
      }),
    );
  });

  it('steer the longest head of steering inputs', () => {
    fc.assert(
      fc.property(anInbox, (inbox) => {
        const steered = cutSteered(inbox);
        assert.deepEqual(steered, inbox.slice(0, steered.length));
        assert.ok(steered.every((input) => input.busy === 'steer'));
        assert.notEqual(inbox[steered.length]?.busy, 'steer');
      }),
    );
  });

  it('refuse only by reject, and only where something is going on', () => {
    const states = ['idle', 'queued', 'running', 'delayed'] as const;
    for (const busy of policies)
      for (const state of states) assert.equal(isRefused(busy, state), busy === 'reject' && state !== 'idle');
  });
});
