import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyedQueue } from './keyed-queue.ts';

test('one thing at a time for a key, others meanwhile, and nothing is kept', async () => {
  const queue = new KeyedQueue();
  const order: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = queue.run('a', async () => {
    await gate;
    order.push('a1');
  });
  const failing = queue.run('a', () => Promise.reject(new Error('no')));
  const last = queue.run('a', async () => void order.push('a3'));
  await queue.run('b', async () => void order.push('b'));
  open();
  await Promise.all([queue.idle(), first, last, assert.rejects(failing, /no/)]);
  assert.deepEqual(order, ['b', 'a1', 'a3']);
  assert.equal(queue.size, 0);
});
