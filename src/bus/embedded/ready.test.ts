import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createReadyQueue } from './ready.ts';

it('takes chats in turn, and items of a chat in order, each once', () => {
  const ready = createReadyQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'a1']) ready.add('a', item);
  ready.add('b', 'b1');
  const taken = [ready.take(), ready.take()];
  ready.add('c', 'c1');
  ready.add('a', 'a4');
  taken.push(...Array.from({ length: 5 }, () => ready.take()));
  assert.deepEqual(taken, ['a1', 'b1', 'a2', 'c1', 'a3', 'a4', undefined]);
});
