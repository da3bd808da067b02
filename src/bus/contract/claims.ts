import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newInput, newThreadId, type OpenBus, unique, until } from './kit.ts';

/** What is done without the inbox: claims, leases, and messages between processes. */
export function claimContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('lets one claim a key, until it is released', async (t) => {
      const { bus } = await open(t, {});
      const key = unique('key');
      const claims = await Promise.all([bus.claims.claim(key, 60_000), bus.claims.claim(key, 60_000)]);
      assert.deepEqual(claims.sort(), ['held', 'yours']);
      await bus.claims.release(key);
      assert.equal(await bus.claims.claim(key, 60_000), 'yours');
      assert.equal(await bus.claims.claim(unique('key'), 60_000), 'yours');
    });

    it('never hands out again what was completed', async (t) => {
      const { bus, reopen } = await open(t, {});
      const key = unique('key');
      assert.equal(await bus.claims.claim(key, 10), 'yours');
      await bus.claims.complete(key);
      await bus.claims.release(key);
      const late = unique('key');
      await bus.claims.claim(late, 1);
      await until('the hold of another key to end', async () => (await bus.claims.claim(late, 1)) === 'yours');
      assert.equal(await bus.claims.claim(key, 10), 'done');
      if (reopen !== undefined) assert.equal(await (await reopen()).claims.claim(key, 10), 'done');
    });

    it('frees a claim whose holder never came back', async (t) => {
      const { bus } = await open(t, {});
      const key = unique('key');
      assert.equal(await bus.claims.claim(key, 250), 'yours');
      assert.equal(await bus.claims.claim(key, 250), 'held');
      await until('the end of the hold', async () => (await bus.claims.claim(key, 60_000)) === 'yours');
      assert.equal(await bus.claims.claim(key, 250), 'held');
    });

    it('keeps claims apart from what was published', async (t) => {
      const { bus } = await open(t, {});
      const input = newInput(newThreadId(), 1);
      assert.equal(await bus.claims.claim(input.dedupeKey, 60_000), 'yours');
      assert.equal((await bus.publish(input)).status, 'accepted');
    });

    it('gives a lease to one, and to the next when it is released', async (t) => {
      const { bus, second } = await open(t, {});
      const name = unique('lease');
      const other = second === undefined ? bus : await second();
      const lease = await bus.leases.acquire(name, 800);
      assert.ok(lease !== null);
      assert.equal(await other.leases.acquire(name, 800), null);
      const elsewhere = await other.leases.acquire(unique('lease'), 800);
      assert.ok(elsewhere !== null);
      // Held on: longer than its time to live, by renewal.
      await new Promise((resolve) => setTimeout(resolve, 1_400));
      assert.equal(await other.leases.acquire(name, 800), null);
      assert.equal(lease.lost.aborted, false);
      await lease.release();
      await lease.release();
      const next = await other.leases.acquire(name, 800);
      assert.ok(next !== null);
      // What was released cannot take anything from the next holder.
      await lease.release();
      assert.equal(await bus.leases.acquire(name, 800), null);
      await next.release();
      await elsewhere.release();
    });

    it('frees the leases of a bus that is closed', async (t) => {
      const { bus, reopen } = await open(t, {});
      if (reopen === undefined) return t.skip('cannot be opened again');
      const name = unique('lease');
      const lease = await bus.leases.acquire(name, 60_000);
      const again = await reopen();
      assert.equal(lease?.lost.aborted, true);
      assert.ok((await again.leases.acquire(name, 60_000)) !== null);
    });

    it('tells the holder when its lease slipped away', async (t) => {
      const { bus, loseLease } = await open(t, {});
      if (loseLease === undefined) return t.skip('leases cannot be lost');
      const name = unique('lease');
      const lease = await bus.leases.acquire(name, 300);
      assert.ok(lease !== null);
      await loseLease(name);
      await until('the loss', () => lease.lost.aborted);
      await lease.release();
    });

    it('broadcasts to every listener of the topic once, its own instance included', async (t) => {
      const { bus, second } = await open(t, {});
      const other = second === undefined ? bus : await second();
      const topic = unique('topic');
      const heard: string[] = [];
      const ends = [
        bus.subscribe(topic, (data) => heard.push(`1 ${data}`)),
        other.subscribe(topic, (data) => heard.push(`2 ${data}`)),
        bus.subscribe(unique('topic'), (data) => heard.push(`other ${data}`)),
        bus.subscribe(topic, () => {
          throw new Error('a listener of somebody else fails');
        }),
      ];
      // Subscribing takes a moment where it goes over a network, and what is said before it is lost.
      await until('both to listen', () => {
        bus.broadcast(topic, 'ping');
        return heard.includes('1 ping') && heard.includes('2 ping');
      });
      bus.broadcast(topic, '谢谢 1');
      bus.broadcast(topic, '2');
      await until('both to hear', () => heard.includes('1 2') && heard.includes('2 2'));
      const without = (mark: string) => heard.filter((one) => one.startsWith(mark) && !one.endsWith('ping'));
      assert.deepEqual([without('1'), without('2'), without('other')], [['1 谢谢 1', '1 2'], ['2 谢谢 1', '2 2'], []]);
      ends[0]?.();
      bus.broadcast(topic, 'last');
      await until('the other to hear', () => heard.includes('2 last'));
      assert.equal(heard.includes('1 last'), false);
      for (const end of ends) end();
    });
  });
}
