import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { BusyPolicy, Quiet } from '../channel/busy.ts';
import { cutTurn } from './policy.ts';
import { beginsAt, type Patient, patienceOf } from './quiet.ts';

const quiet: Quiet = { whenIdleMs: 300, whenBusyMs: 500, mostMs: 2_000 };

const aQuiet = fc.record({
  whenIdleMs: fc.integer({ min: 0, max: 50 }),
  whenBusyMs: fc.integer({ min: 0, max: 50 }),
  mostMs: fc.integer({ min: 0, max: 120 }),
});
const aPolicy = fc.constantFrom<BusyPolicy>('collect', 'queue', 'steer', 'interrupt');

describe('quiet windows', () => {
  it('go by how the first input of the turn found the thread', () => {
    const first = patienceOf({ busy: 'collect', quiet, found: 'idle', joins: null, at: 1_000 });
    assert.deepEqual(first, { cameAt: 1_000, fresh: true, waitMs: 300, mostMs: 2_000 });
    const second = patienceOf({ busy: 'collect', quiet, found: 'queued', joins: first, at: 1_100 });
    assert.deepEqual(second, { cameAt: 1_100, fresh: true, waitMs: 300, mostMs: 2_000 });
    for (const found of ['queued', 'running', 'delayed'] as const)
      assert.equal(patienceOf({ busy: 'collect', quiet, found, joins: null, at: 0 }).waitMs, 500);
  });

  it('are none for what interrupts, only', () => {
    const wait = (busy: BusyPolicy, found: 'idle' | 'running') =>
      patienceOf({ busy, quiet, found, joins: null, at: 0 }).waitMs;
    assert.deepEqual(
      [wait('interrupt', 'running'), wait('interrupt', 'idle'), wait('steer', 'running')],
      [0, 300, 500],
    );
  });

  it('end when nothing new has come for a while, and at the latest after the most', () => {
    const patient = (cameAt: number, more: Partial<Patient> = {}): Patient => ({
      busy: 'collect',
      tried: false,
      fresh: true,
      waitMs: 300,
      mostMs: 1_000,
      cameAt,
      ...more,
    });
    const at = (...inbox: Patient[]) => beginsAt(cutTurn(inbox));
    assert.equal(at(patient(0)), 300);
    assert.equal(at(patient(0), patient(200)), 500);
    assert.equal(at(patient(0), patient(900)), 1_000);
    assert.equal(at(patient(0), patient(200, { waitMs: 0 })), 200);
    assert.equal(at(patient(0), patient(100, { busy: 'queue' })), 0);
    assert.equal(at(patient(5, { busy: 'queue' })), 5);
    assert.equal(at(patient(0, { tried: true }), patient(200)), 0);
    assert.equal(at(patient(0), patient(100, { busy: 'interrupt', waitMs: 0 }), patient(200)), 0);
  });

  it('answer every message of any burst, in order, within the most since its turn began to gather', () => {
    const arrivals = fc.array(fc.record({ gap: fc.nat({ max: 60 }), busy: aPolicy, quiet: aQuiet }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(arrivals, (list) => {
        // A thread whose turns take no time and that always finds a worker, by a clock of its own.
        let now = 0;
        let dueAt = Number.POSITIVE_INFINITY;
        let inbox: (Patient & { n: number })[] = [];
        const answered: number[] = [];
        const runDue = (until: number): void => {
          while (dueAt <= until) {
            const { turn } = cutTurn(inbox);
            const [first] = turn;
            const newest = turn.at(-1);
            assert.ok(first !== undefined && newest !== undefined);
            assert.ok(Math.max(dueAt, first.cameAt) <= Math.max(newest.cameAt, first.cameAt + newest.mostMs));
            answered.push(...turn.map((input) => input.n));
            inbox = inbox.slice(turn.length);
            dueAt = inbox.length === 0 ? Number.POSITIVE_INFINITY : beginsAt(cutTurn(inbox));
          }
        };
        for (const [n, { gap, busy, quiet: own }] of list.entries()) {
          now += gap;
          runDue(now - 1);
          const joins = inbox[0] ?? null;
          const found = joins === null ? 'idle' : 'queued';
          inbox.push({ busy, tried: false, n, ...patienceOf({ busy, quiet: own, found, joins, at: now }) });
          const whole = beginsAt(cutTurn(inbox));
          // The two ends of a turn tell as much as all of it.
          if (joins !== null) assert.equal(beginsAt(cutTurn([...inbox.slice(0, 1), ...inbox.slice(-1)])), whole);
          dueAt = whole;
          runDue(now);
        }
        runDue(Number.MAX_SAFE_INTEGER);
        assert.deepEqual(
          answered,
          list.map((_, n) => n),
        );
      }),
    );
  });
});
