import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Semaphore } from './semaphore.ts';

test('a place that is handed over is nobody else’s in between', async () => {
  const semaphore = new Semaphore(1);
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    const leave = await semaphore.enter();
    most = Math.max(most, ++inside);
    await Promise.resolve();
    inside--;
    leave();
    // Comes again at once, as if it could slip in before the one that was woken.
    const again = await semaphore.enter();
    most = Math.max(most, ++inside);
    inside--;
    again();
  };
  await Promise.all(Array.from({ length: 20 }, work));
  assert.equal(most, 1);
});

test('who waits may leave, also at the moment when a place comes, and no place is lost by it', async () => {
  const semaphore = new Semaphore(1, 2);
  const leave = await semaphore.enter();
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = [semaphore.enter(first.signal), semaphore.enter(second.signal)];
  await assert.rejects(semaphore.enter(), { code: 'unavailable' });
  second.abort(new Error('gone'));
  await assert.rejects(waiting[1] ?? Promise.resolve(), /gone/);
  leave();
  first.abort(new Error('too late'));
  const place = await waiting[0];
  place?.();
  (await semaphore.enter())();
});

test('those who wait come in their order, without the ones who have left', async () => {
  const semaphore = new Semaphore(2, 2);
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const left = new AbortController();
  const work = async (n: number, signal?: AbortSignal): Promise<void> => {
    const leave = await semaphore.enter(signal);
    begun.push(n);
    await gates[n]?.promise;
    leave();
  };
  const [first, second, third, fourth] = [work(0), work(1), work(2, left.signal), work(3)];
  await assert.rejects(work(9), { code: 'unavailable' });
  left.abort(new Error('gone'));
  await assert.rejects(third, /gone/);
  assert.deepEqual(begun, [0, 1]);
  gates[0]?.resolve();
  await first;
  gates[1]?.resolve();
  gates[3]?.resolve();
  await Promise.all([second, fourth]);
  assert.deepEqual(begun, [0, 1, 3]);
});
