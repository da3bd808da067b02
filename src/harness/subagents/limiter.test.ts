import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairLimiter } from './limiter.ts';

const never = new AbortController().signal;

/** Enters and tells when it is let in. */
function enter(limiter: FairLimiter, person: string, seen: string[], signal = never) {
  return limiter.enter(person, 2, signal).then((leave) => {
    seen.push(person);
    return leave;
  });
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a person has so many places, and the next one is let in when one is free', async () => {
  const limiter = new FairLimiter();
  const seen: string[] = [];
  const [first] = [enter(limiter, 'ann', seen), enter(limiter, 'ann', seen), enter(limiter, 'ann', seen)];
  await settle();
  assert.equal(seen.length, 2);
  const leave = await first;
  leave?.();
  leave?.();
  await settle();
  assert.equal(seen.length, 3);
});

test('where the process is full, people are served by turns', async () => {
  const limiter = new FairLimiter(1);
  const seen: string[] = [];
  const places = ['ann', 'ann', 'ann', 'bo', 'cy'].map((person) => enter(limiter, person, seen));
  for (const place of [0, 3, 4, 1, 2]) {
    await settle();
    (await places[place])?.();
  }
  assert.deepEqual(seen, ['ann', 'bo', 'cy', 'ann', 'ann']);
  assert.equal(limiter.size, 0, 'nobody is remembered who has left');
});

test('who gives up waiting takes no place', async () => {
  const limiter = new FairLimiter(1);
  const seen: string[] = [];
  const inside = enter(limiter, 'ann', seen);
  const stop = new AbortController();
  const waiting = enter(limiter, 'bo', seen, stop.signal);
  stop.abort(new Error('stopped'));
  await assert.rejects(waiting, /stopped/);
  await assert.rejects(enter(limiter, 'bo', seen, stop.signal), /stopped/);
  (await inside)();
  assert.equal(limiter.size, 0);
});
