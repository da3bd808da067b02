import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { Gate } from './gate.ts';
import { BREAKER_REST_MS, BREAKER_THRESHOLD, MAX_CONCURRENT_CALLS } from './limits.ts';

function makeGate(): { gate: Gate; advance(ms: number): void } {
  let now = 0;
  const gate = new Gate({ now: () => now, sleep: async () => {} });
  return {
    gate,
    advance: (ms) => {
      now += ms;
    },
  };
}
const never = new AbortController().signal;

async function fail(gate: Gate, times: number): Promise<void> {
  for (let n = 0; n < times; n++) (await gate.enter(never))('outage');
}

test('only so many calls go in at once, and the first who waits is the next', async () => {
  const { gate } = makeGate();
  const leave = [];
  for (let n = 0; n < MAX_CONCURRENT_CALLS; n++) leave.push(await gate.enter(never));
  const entered: number[] = [];
  const waiting = [1, 2].map((n) => gate.enter(never).then(() => entered.push(n)));
  await tick();
  assert.deepEqual(entered, []);
  leave[0]?.('ok');
  await waiting[0];
  assert.deepEqual(entered, [1]);
  leave[1]?.('ok');
  await waiting[1];
});

test('who stops waiting leaves no gap in the queue', async () => {
  const { gate } = makeGate();
  const leave = [];
  for (let n = 0; n < MAX_CONCURRENT_CALLS; n++) leave.push(await gate.enter(never));
  const stopped = new AbortController();
  const first = gate.enter(stopped.signal);
  const second = gate.enter(never);
  stopped.abort();
  await assert.rejects(first);
  leave[0]?.('ok');
  await second;
});

test('after outages in a row one call at a time finds out whether the endpoint is back', async () => {
  const { gate, advance } = makeGate();
  await fail(gate, BREAKER_THRESHOLD - 1);
  assert.equal(gate.isOpen, false);
  await fail(gate, 1);
  assert.equal(gate.isOpen && gate.isResting, true);

  const probe = await gate.enter(never);
  await assert.rejects(gate.enter(never), { code: 'unavailable', retryable: true });
  probe('outage');
  advance(BREAKER_REST_MS);
  assert.equal(gate.isResting, false);

  (await gate.enter(never))('ok');
  assert.equal(gate.isOpen, false);
});

test('a probe that ends in an error of another kind, or is cancelled, does not leave the breaker stuck', async () => {
  const { gate } = makeGate();
  await fail(gate, BREAKER_THRESHOLD);
  (await gate.enter(never))('other');
  await assert.rejects(gate.enter(AbortSignal.abort()));
  (await gate.enter(never))('ok');
  assert.equal(gate.isOpen, false);
});
