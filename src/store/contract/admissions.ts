import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PairingRequest } from '../port.ts';
import type { Pair } from './fixture.ts';

const HOUR_MS = 3_600_000;
let count = 0;

/** A request of somebody whom no other test knows. */
function asking(more: Partial<PairingRequest> = {}): PairingRequest {
  const n = ++count;
  return {
    code: `CODE${String(n).padStart(4, '0')}`,
    channel: `channel-${process.pid}`,
    user: `u${n}`,
    chat: `c${n}`,
    name: `Ann ${n}`,
    language: 'zh',
    requestedAt: 1_000_000,
    ...more,
  };
}

export function admissionsContract(pair: () => Pair): void {
  describe('admissions', () => {
    test('who asks has one code for an hour, whichever process is asked', async () => {
      const { store, second } = pair();
      const asked = asking();
      assert.deepEqual(await store.admissions.request(asked, HOUR_MS), asked);
      const again = await second.admissions.request({ ...asked, code: 'OTHER123', requestedAt: 1_000_001 }, HOUR_MS);
      assert.equal(again?.code, asked.code);
      const later = { ...asked, code: `LATER${count}`, requestedAt: asked.requestedAt + HOUR_MS };
      assert.equal((await store.admissions.request(later, HOUR_MS))?.code, later.code);
      assert.equal(await store.admissions.admit(asked.code, 0, 'owner', 1), null);
    });

    test('a code admits who it was given to, where it was given, until it is taken', async () => {
      const { store, second } = pair();
      const asked = asking();
      await store.admissions.request(asked, HOUR_MS);
      assert.equal(await store.admissions.isAdmitted(asked.channel, asked.user), false);
      const outcomes = await Promise.all([
        store.admissions.admit(asked.code, 0, 'owner', 5),
        second.admissions.admit(asked.code, 0, 'owner', 5),
      ]);
      assert.deepEqual(outcomes, [asked, asked]);
      assert.deepEqual(await store.admissions.take(asked.code, 0), asked);
      assert.equal(await second.admissions.admit(asked.code, 0, 'owner', 6), null);
      assert.equal(await second.admissions.isAdmitted(asked.channel, asked.user), true);
      assert.equal(await second.admissions.isAdmitted('another', asked.user), false);
      const listed = (await store.admissions.list()).find(({ user }) => user === asked.user);
      assert.deepEqual([listed?.admittedBy, listed?.admittedAt], ['owner', 5]);
      assert.equal(await store.admissions.revoke(asked.channel, asked.user), true);
      assert.equal(await store.admissions.revoke(asked.channel, asked.user), false);
      assert.equal(await store.admissions.isAdmitted(asked.channel, asked.user), false);
    });

    test('a code that is too old, denied or unknown admits nobody', async () => {
      const { store } = pair();
      const asked = asking();
      await store.admissions.request(asked, HOUR_MS);
      assert.equal(await store.admissions.admit(asked.code, asked.requestedAt, 'owner', 1), null);
      assert.ok((await store.admissions.pending(0)).some(({ code }) => code === asked.code));
      assert.equal((await store.admissions.take(asked.code, 0))?.user, asked.user);
      assert.equal(await store.admissions.admit(asked.code, 0, 'owner', 1), null);
      assert.equal(await store.admissions.isAdmitted(asked.channel, asked.user), false);
    });
  });
}
