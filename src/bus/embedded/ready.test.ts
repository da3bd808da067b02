import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createReadyQueue, type ReadyQueue, type Seat } from './ready.ts';

const seat = (chat: string, user = chat): Seat => ({ chat, user });
const many = { chat: 100, user: 100 };

function takeAll(ready: ReadyQueue<string>): string[] {
  const taken: string[] = [];
  for (let next = ready.take(); next !== undefined; next = ready.take()) taken.push(next.item);
  return taken;
}

describe('ready queue', () => {
  it('takes chats in turn, and items of a chat in order, each once', () => {
    const ready = createReadyQueue<string>(many);
    for (const item of ['a1', 'a2', 'a3', 'a1']) ready.add(item, seat('a'));
    ready.add('b1', seat('b'));
    const taken = [ready.take()?.item, ready.take()?.item];
    ready.add('c1', seat('c'));
    ready.add('a4', seat('a'));
    assert.deepEqual([...taken, ...takeAll(ready)], ['a1', 'b1', 'a2', 'c1', 'a3', 'a4']);
  });

  it('passes over a full chat and a full user, until a place is given back', () => {
    const ready = createReadyQueue<string>({ chat: 2, user: 1 });
    ready.add('a1', seat('a', 'ann'));
    ready.add('a2', seat('a', 'ann'));
    ready.add('a3', seat('a', 'bob'));
    ready.add('a4', seat('a', 'cid'));
    ready.add('b1', seat('b', 'ann'));
    assert.deepEqual(takeAll(ready), ['a1', 'a3']);
    ready.giveBack(seat('a', 'bob'));
    assert.deepEqual(takeAll(ready), ['a4']);
    // Those of a user come in by the order in which they were passed over.
    ready.giveBack(seat('a', 'ann'));
    assert.deepEqual(takeAll(ready), ['b1']);
    ready.giveBack(seat('b', 'ann'));
    assert.deepEqual(takeAll(ready), ['a2']);
  });

  it('forgets what is deleted, wherever it waits', () => {
    const ready = createReadyQueue<string>({ chat: 2, user: 1 });
    ready.add('a1', seat('a', 'ann'));
    ready.add('b1', seat('b', 'ann'));
    ready.add('b2', seat('b', 'ann'));
    ready.add('c1', seat('c', 'cid'));
    ready.delete('c1');
    ready.delete('never was');
    assert.deepEqual(takeAll(ready), ['a1']);
    ready.delete('b1');
    ready.giveBack(seat('a', 'ann'));
    assert.deepEqual(takeAll(ready), ['b2']);
  });

  it('hands everything out once and never exceeds a bound, however items come and places are given back', () => {
    const step = fc.record({
      chat: fc.constantFrom('a', 'b', 'c'),
      user: fc.constantFrom('u', 'v', 'w'),
      act: fc.constantFrom('add', 'add', 'take', 'back', 'delete'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 3 }), (steps, most) => {
        const ready = createReadyQueue<string>({ chat: most, user: most });
        const waiting = new Map<string, Seat>();
        const held: Seat[] = [];
        const count = (kind: keyof Seat, name: string) => held.filter((one) => one[kind] === name).length;
        const take = (): boolean => {
          const next = ready.take();
          if (next === undefined) return false;
          assert.deepEqual(waiting.get(next.item), next.seat);
          waiting.delete(next.item);
          held.push(next.seat);
          assert.ok(count('chat', next.seat.chat) <= most && count('user', next.seat.user) <= most);
          return true;
        };
        for (const [n, { chat, user, act }] of steps.entries()) {
          if (act === 'add') {
            waiting.set(`${n}`, { chat, user });
            ready.add(`${n}`, { chat, user });
          } else if (act === 'take') {
            if (!take())
              for (const one of waiting.values())
                assert.ok(count('chat', one.chat) >= most || count('user', one.user) >= most, 'somebody waits in vain');
          } else if (act === 'back') {
            const back = held.shift();
            if (back !== undefined) ready.giveBack(back);
          } else {
            const [first] = waiting.keys();
            if (first === undefined) continue;
            waiting.delete(first);
            ready.delete(first);
          }
        }
        while (waiting.size > 0) {
          if (take()) continue;
          const back = held.shift();
          assert.ok(back !== undefined, 'somebody waits for ever');
          ready.giveBack(back);
        }
      }),
    );
  });
});
