import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { type Clock, systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { done, gate, handlerOf, idle, newInput, newThreadId, payloadsOf, until, workOptions } from '../contract/kit.ts';
import { createEmbeddedBus } from './index.ts';

/** A hundred times as fast as others. */
function hastyClock(): Clock {
  const began = systemClock.now();
  return {
    ...systemClock,
    now: () => Math.round(began + (systemClock.now() - began) * 100),
    sleep: (ms, signal) => systemClock.sleep(ms / 100, signal),
  };
}

it('does not keep people waiting for a long run to end because a suspect is to be alone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-bus-'));
  const file = join(folder, 'bus.db');
  const [long, suspect, ordinary] = [newThreadId(), newThreadId(), newThreadId()];
  const first = await createEmbeddedBus({ file, log: silentLogger });
  await first.publish(newInput(long, 'long', 'telegram/1'));
  await first.publish(newInput(suspect, 'suspect', 'telegram/2'));
  await first.close();
  const database = new DatabaseSync(file);
  database.prepare('UPDATE thread SET attempt = 2, excused = 2 WHERE id = ?').run(suspect);
  database.close();

  const bus = await createEmbeddedBus({ file, log: silentLogger, clock: hastyClock() });
  t.after(async () => {
    await bus.close({ graceMs: 0 });
    rmSync(folder, { recursive: true, force: true });
  });
  const end = gate('the end of the long run');
  const began: unknown[] = [];
  await bus.work(
    handlerOf(async (turn) => {
      began.push(...payloadsOf(turn));
      if (turn.thread === long) await end.passed;
      return done(turn);
    }),
    workOptions,
  );
  await bus.publish(newInput(ordinary, 'ordinary', 'telegram/3'));
  await idle(bus, ordinary);
  assert.deepEqual(began, ['long', 'ordinary']);
  assert.equal((await bus.threadState(suspect)).state, 'queued');
  end.open();
  await until('the suspect', () => began.includes('suspect'));
  await idle(bus, suspect);
});
