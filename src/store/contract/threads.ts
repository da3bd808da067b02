import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newThreadId } from '../../base/ids.ts';
import { atOnce, type Pair, somewhere } from './fixture.ts';

/** Threads are found by place. */
export function threadsContract(pair: () => Pair): void {
  describe('threads', () => {
    test('a place keeps its thread until it is renewed, and the former one stays readable', async () => {
      const { store } = pair();
      const key = somewhere();
      assert.equal(await store.threads.find(key), null);
      const first = await store.threads.open(key);
      assert.equal(first.key, key);
      assert.equal(typeof first.createdAt, 'number');
      assert.deepEqual(await store.threads.open(key), first);

      const fresh = await store.threads.renew(key);
      assert.notEqual(fresh.id, first.id);
      assert.deepEqual(await store.threads.open(key), fresh);
      assert.deepEqual(await store.threads.find(key), fresh);
      assert.deepEqual(await store.threads.get(first.id), first);
      assert.equal(await store.threads.get(newThreadId()), null);
    });

    test('a place that nobody has been to can be renewed', async () => {
      const { store } = pair();
      const key = somewhere();
      assert.deepEqual(await store.threads.renew(key), await store.threads.open(key));
    });

    test('many callers in several processes get one thread for a new place', async () => {
      const key = somewhere();
      const found = await atOnce(pair(), 20, (store) => store.threads.open(key));
      assert.equal(new Set(found.map((thread) => thread.id)).size, 1);
    });

    test('renewals at once are all different, and one of them is current', async () => {
      const { store } = pair();
      const key = somewhere();
      const made = await atOnce(pair(), 10, (each) => each.threads.renew(key));
      const ids = new Set(made.map((thread) => thread.id));
      assert.equal(ids.size, 10);
      assert.ok(ids.has((await store.threads.open(key)).id));
    });
  });
}
