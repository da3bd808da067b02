import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Clock } from '../../base/clock.ts';
import { createAgenda } from './agenda.ts';

/** A clock that only moves when it is told to. */
function handClock(): Clock & { advance(ms: number): Promise<void>; readonly sleepers: number } {
  let now = 1_000;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    advance: async (ms) => {
      now += ms;
      for (const sleeper of [...sleepers]) {
        if (sleeper.at > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
    get sleepers() {
      return sleepers.size;
    },
  };
}

describe('agenda', () => {
  it('rings in order of time, then of setting, with one sleep at a time', async () => {
    const clock = handClock();
    const agenda = createAgenda(clock);
    const rung: string[] = [];
    const set = (name: string, at: number) => agenda.set(name, 1_000 + at, () => rung.push(name));
    for (const [name, at] of [
      ['d', 40],
      ['b', 20],
      ['a', 10],
      ['c', 20],
      ['e', 50],
    ] as const)
      set(name, at);
    assert.equal(clock.sleepers, 1);
    await clock.advance(10);
    assert.deepEqual(rung, ['a']);
    await clock.advance(30);
    assert.deepEqual(rung, ['a', 'b', 'c', 'd']);
    agenda.stop();
    assert.equal(clock.sleepers, 0);
    await clock.advance(100);
    assert.deepEqual(rung, ['a', 'b', 'c', 'd']);
  });

  it('moves an entry that is set again, and forgets one that is deleted', async () => {
    const clock = handClock();
    const agenda = createAgenda(clock);
    const rung: string[] = [];
    for (let n = 0; n < 50; n++) agenda.set(`n${n}`, 1_010 + ((n * 37) % 50), () => rung.push(`n${n}`));
    for (let n = 0; n < 50; n++) if (n !== 7 && n !== 8) agenda.delete(`n${n}`);
    agenda.set('n7', 1_100, () => rung.push('late'));
    agenda.delete('never was');
    await clock.advance(60);
    assert.deepEqual(rung, ['n8']);
    await clock.advance(40);
    assert.deepEqual(rung, ['n8', 'late']);
    agenda.stop();
  });

  it('does not spin on what is set for now while it rings', async () => {
    const clock = handClock();
    const agenda = createAgenda(clock);
    let rung = 0;
    const again = (): void => {
      rung++;
      agenda.set('again', clock.now(), again);
    };
    agenda.set('again', 1_001, again);
    await clock.advance(1);
    assert.equal(rung, 1);
    agenda.stop();
  });

  it('looks at the clock now and then, in case that it was set', async () => {
    const clock = handClock();
    const agenda = createAgenda(clock);
    let rung = false;
    agenda.set('far', 1_000 + 3_600_000, () => {
      rung = true;
    });
    // The clock jumps an hour while the sleep goes on for half a minute.
    await clock.advance(3_600_000);
    assert.equal(rung, true);
    agenda.stop();
  });
});
