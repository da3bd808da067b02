import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DraftPump } from './draft-pump.ts';

interface Showing {
  readonly at: number;
  readonly text: string;
}

/** A pump on a clock of its own, whose `show` takes `showMs`. */
function pumpFor(t: TestContext, options: { streams?: boolean; typingLastsMs?: number; showMs?: number } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const showings: Showing[] = [];
  let overlapping = 0;
  const pump = new DraftPump({
    show: async (text) => {
      assert.equal(++overlapping, 1, 'two stands at once');
      showings.push({ at: Date.now(), text });
      if (options.showMs !== undefined) await new Promise((resolve) => setTimeout(resolve, options.showMs));
      overlapping--;
    },
    minIntervalMs: 1_000,
    typingLastsMs: options.typingLastsMs ?? 0,
    streams: options.streams ?? true,
    clock: { now: () => Date.now() },
  });
  const pass = async (ms: number): Promise<void> => {
    for (let i = 0; i < ms; i += 10) {
      t.mock.timers.tick(10);
      for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    }
  };
  return { pump, showings, pass };
}

test('an answer that is complete at once is never shown half', async (t) => {
  const { pump, showings, pass } = pumpFor(t);
  pump.update('Hi');
  await pass(300);
  pump.close();
  await pass(5_000);
  assert.deepEqual(showings, []);
});

test('a growing answer is shown at the pace of the platform, always its newest stand', async (t) => {
  const { pump, showings, pass } = pumpFor(t);
  let text = '';
  for (let i = 0; i < 300; i++) {
    text += `${i} `;
    pump.update(text);
    await pass(10);
  }
  pump.close();
  assert.equal(showings.length, 3);
  for (const [i, showing] of showings.entries()) {
    const before = showings[i - 1];
    if (before !== undefined) assert.ok(showing.at - before.at >= 1_000, `shown at ${before.at} and ${showing.at}`);
  }
});

test('the last words are shown although no more come after them', async (t) => {
  const { pump, showings, pass } = pumpFor(t, { showMs: 400 });
  pump.update('one');
  await pass(600);
  pump.update('one two');
  pump.update('one two three');
  await pass(3_000);
  pump.close();
  assert.deepEqual(
    showings.map(({ text }) => text),
    ['one', 'one two three'],
  );
});

test('typing is shown until there is text, again before it runs out, and never after the end', async (t) => {
  const { pump, showings, pass } = pumpFor(t, { typingLastsMs: 5_000 });
  await pass(9_000);
  assert.deepEqual(
    showings.map(({ text }) => text),
    ['', '', ''],
  );
  pump.update('done');
  await pass(600);
  pump.close();
  await pass(20_000);
  assert.equal(showings.at(-1)?.text, 'done');
  assert.equal(showings.length, 4);
});

test('where a platform cannot stream, only typing is shown', async (t) => {
  const { pump, showings, pass } = pumpFor(t, { streams: false, typingLastsMs: 5_000 });
  pump.update('half of a');
  await pass(6_000);
  pump.close();
  assert.ok(showings.length >= 2);
  assert.ok(showings.every(({ text }) => text === ''));
});

test('an answer whose first stand is on its way when it ends counts as shown', async (t) => {
  const { pump, showings, pass } = pumpFor(t, { showMs: 200 });
  pump.update('Hal');
  await pass(520);
  pump.close();
  assert.equal(showings.length, 1);
  assert.equal(pump.hasShown, true);
});
