import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newThreadId } from '../../base/ids.ts';
import { atOnce, type Pair, somewhere, startRun } from './fixture.ts';

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

    test('a thread that is left by many at once is left once', async () => {
      const { store } = pair();
      const key = somewhere();
      const first = await store.threads.open(key);
      const left = await atOnce(pair(), 10, (each) => each.threads.leave(key, first.id));
      assert.equal(new Set(left.map(({ id }) => id)).size, 1);
      assert.notEqual(left[0]?.id, first.id);
      assert.deepEqual(await store.threads.leave(key, first.id), left[0]);
    });

    test('a former thread is resumed, with many wanting to at once, and only at its own place', async () => {
      const { store, second } = pair();
      const key = somewhere();
      const [first, next] = [await store.threads.open(key), await store.threads.renew(key)];
      assert.equal((await second.threads.resume(key, first.id))?.id, first.id);
      assert.equal((await store.threads.open(key)).id, first.id);
      assert.equal((await store.threads.resume(key, first.id))?.id, first.id);
      assert.equal(await store.threads.resume(somewhere(), first.id), null);
      assert.equal(await store.threads.resume(key, newThreadId()), null);
      const resumed = await atOnce(pair(), 10, (each, n) => each.threads.resume(key, n % 3 === 0 ? first.id : next.id));
      assert.ok(resumed.every((thread) => thread !== null));
      assert.ok([first.id, next.id].includes((await store.threads.open(key)).id));
    });

    test('threads are listed with their titles and the time of their last run, the current one first', async () => {
      const { store, second } = pair();
      const key = somewhere();
      const former = await store.threads.open(key);
      await store.threads.rename(former.id, 'Holidays');
      await startRun(store, former.id, 1_800_000_000_000);
      const current = await store.threads.renew(key);
      assert.deepEqual(await second.threads.list(key, 10), [
        { ...current, title: null, lastAt: current.createdAt },
        { ...former, title: 'Holidays', lastAt: 1_800_000_000_000 },
      ]);
      assert.equal((await second.threads.list(key, 1)).length, 1);
      assert.equal(await second.threads.lastRunAt(former.id), 1_800_000_000_000);
      assert.equal(await second.threads.lastRunAt(current.id), null);
    });
  });
}
