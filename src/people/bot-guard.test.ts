import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBotGuard } from './bot-guard.ts';
import type { Slots } from './slots.ts';

/** Slots of one process, with a clock that is turned by hand. */
function slots(): Slots & { now: number } {
  const held = new Map<string, number>();
  return {
    now: 0,
    async take(key, holdMs) {
      if ((held.get(key) ?? 0) > this.now) return false;
      held.set(key, this.now + holdMs);
      return true;
    },
    async give(key) {
      held.delete(key);
    },
  };
}

test('two bots that answer each other are silent after a few hops, until a person speaks', async () => {
  const guard = createBotGuard(slots());
  const limits = { most: 100, windowMs: 60_000, hops: 3 };
  const answers = async (bot: string) => guard.mayAnswer(limits, 'slack', 'C1', bot);
  assert.deepEqual(
    [await answers('B1'), await answers('B2'), await answers('B1'), await answers('B2')],
    [true, true, true, false],
  );
  assert.equal(await guard.mayAnswer(limits, 'slack', 'C2', 'B1'), true);
  await guard.personSpoke(limits, 'slack', 'C1');
  assert.equal(await answers('B2'), true);
});

test('one bot is answered so often in a while, whatever people say between', async () => {
  const time = slots();
  const guard = createBotGuard(time);
  const limits = { most: 2, windowMs: 60_000, hops: 3 };
  const said: boolean[] = [];
  for (let n = 0; n < 4; n++) {
    said.push(await guard.mayAnswer(limits, 'slack', 'C1', 'B1'));
    await guard.personSpoke(limits, 'slack', 'C1');
  }
  assert.deepEqual(said, [true, true, false, false]);
  time.now = 60_001;
  assert.equal(await guard.mayAnswer(limits, 'slack', 'C1', 'B1'), true);
});
