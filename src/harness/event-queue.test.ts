import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventQueue } from './event-queue.ts';

test('events come in order, also those pushed while one is read, and the end after the last', async () => {
  const queue = new EventQueue<number>();
  queue.push(1);
  queue.push(2);
  const seen: number[] = [];
  for await (const event of queue) {
    seen.push(event);
    if (event === 1) queue.push(3);
    if (event === 3)
      setImmediate(() => {
        queue.push(4);
        queue.close();
      });
  }
  assert.deepEqual(seen, [1, 2, 3, 4]);
});
