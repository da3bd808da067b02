import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countsForMs, createWindows } from './window.ts';

const limit = (count: number, windowMs: number, scope = 'chat') => ({ scope, count, windowMs });

describe('windows', () => {
  it('is free at once without limits, and below them', () => {
    const windows = createWindows();
    assert.equal(windows.freeAt([], 5), 5);
    windows.reserve([limit(2, 1_000)], 5);
    assert.equal(windows.freeAt([limit(2, 1_000)], 6), 6);
  });

  it('is free again when the oldest call that fills the window has left it', () => {
    const windows = createWindows();
    const limits = [limit(2, 1_000)];
    windows.reserve(limits, 0);
    windows.reserve(limits, 400);
    assert.equal(windows.freeAt(limits, 500), 1_050);
    windows.reserve(limits, 1_050);
    assert.equal(windows.freeAt(limits, 1_060), 1_450);
  });

  it('keeps the limits of one scope apart, and waits for the slowest of all', () => {
    const windows = createWindows();
    const limits = [limit(1, 1_000), limit(2, 60_000), limit(30, 1_000, 'all')];
    windows.reserve(limits, 0);
    assert.equal(windows.freeAt(limits, 1), 1_050);
    windows.reserve(limits, 2_000);
    assert.equal(windows.freeAt(limits, 4_000), 63_000);
    assert.equal(windows.freeAt([limit(30, 1_000, 'all')], 4_000), 4_000);
  });

  it('gives a place back', () => {
    const windows = createWindows();
    const limits = [limit(1, 1_000), limit(1, 9_000, 'all')];
    const reservation = windows.reserve(limits, 0);
    windows.giveBack(reservation);
    windows.giveBack(reservation);
    assert.equal(windows.freeAt(limits, 1), 1);
  });

  it('pauses a scope, and never shortens a pause', () => {
    const windows = createWindows();
    windows.pause('chat', 500);
    windows.pause('chat', 300);
    assert.equal(windows.freeAt([limit(9, 1_000)], 10), 500);
    assert.equal(windows.freeAt([limit(9, 1_000, 'other')], 10), 10);
    assert.equal(windows.freeAt([limit(9, 1_000)], 600), 600);
  });

  it('forgets what is over and keeps what counts', () => {
    const windows = createWindows();
    windows.reserve([limit(1, 1_000)], 0);
    windows.reserve([limit(1, 60_000, 'slow')], 0);
    windows.pause('slow', 10);
    windows.prune(2_000);
    assert.equal(windows.freeAt([limit(1, 1_000)], 2_000), 2_000);
    assert.equal(windows.freeAt([limit(1, 60_000, 'slow')], 2_000), 63_000);
  });

  it('never lets more through any window than it may, however calls come and are given back', () => {
    const calls = fc.array(
      fc.record({ wait: fc.integer({ min: 0, max: 120 }), back: fc.boolean(), wide: fc.boolean() }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(calls, (steps) => {
        const windows = createWindows();
        const narrow = limit(3, 100);
        const wide = limit(5, 300, 'all');
        const made: { at: number; wide: boolean }[] = [];
        let now = 1_000;
        for (const step of steps) {
          now += step.wait;
          const limits = step.wide ? [narrow, wide] : [narrow];
          const at = windows.freeAt(limits, now);
          assert.ok(at >= now);
          now = at;
          const reservation = windows.reserve(limits, now);
          if (step.back) windows.giveBack(reservation);
          else made.push({ at: now, wide: step.wide });
        }
        for (const { at } of made) {
          const within = (ms: number) => made.filter((call) => call.at >= at && call.at < at + ms);
          assert.ok(within(countsForMs(narrow)).length <= narrow.count);
          assert.ok(within(countsForMs(wide)).filter((call) => call.wide).length <= wide.count);
        }
      }),
    );
  });

  it('is free exactly when a list of all calls and pauses says so, also after forgetting', () => {
    const limits = [limit(2, 100), limit(4, 300), limit(3, 200, 'all')];
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 90 }),
      act: fc.constantFrom('reserve', 'reserve', 'back', 'pause', 'prune'),
      scope: fc.constantFrom('chat', 'all'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const windows = createWindows();
        const calls: { readonly at: number; readonly back: () => void }[] = [];
        const pauses: { readonly scope: string; readonly until: number }[] = [];
        /** What the windows stand for, the slow way. */
        const isFree = (at: number): boolean =>
          pauses.every((pause) => pause.until <= at) &&
          limits.every((one) => calls.filter((call) => call.at > at - countsForMs(one)).length < one.count);
        let now = 1_000;
        for (const { wait, act, scope } of steps) {
          now += wait;
          if (act === 'pause') {
            pauses.push({ scope, until: now + wait });
            windows.pause(scope, now + wait);
          } else if (act === 'back') calls.pop()?.back();
          else if (act === 'prune') windows.prune(now);
          else {
            const at = windows.freeAt(limits, now);
            assert.ok(isFree(at), `not free at ${at}`);
            for (let before = now; before < at; before++) assert.ok(!isFree(before), `free at ${before} already`);
            now = at;
            const reservation = windows.reserve(limits, now);
            calls.push({ at: now, back: () => windows.giveBack(reservation) });
          }
        }
      }),
    );
  });
});
