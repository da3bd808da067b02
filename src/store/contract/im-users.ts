import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { imUserKey, newRunId } from '../../base/ids.ts';
import { atOnce, type Pair } from './fixture.ts';

/** IM users are known from their first contact on. */
export function imUsersContract(pair: () => Pair): void {
  describe('IM users', () => {
    test('first contact and later ones', async () => {
      const { store, second } = pair();
      const key = someone();
      const t0 = 1_700_000_000_000;
      assert.equal(await store.imUsers.get(key), null);
      const first = await store.imUsers.see({ key, name: 'Ann', isBot: false, language: 'de' }, t0);
      const { person } = first;
      const expected = {
        key,
        name: 'Ann',
        isBot: false,
        language: 'de',
        firstSeenAt: t0,
        lastSeenAt: t0,
        ...fresh,
        person,
      };
      assert.deepEqual(first, expected);
      assert.deepEqual(await store.imUsers.get(key), expected);

      const renamed = { key, name: 'Anna', isBot: false, language: 'zh-hans' };
      await store.imUsers.see(renamed, t0 + 5);
      assert.deepEqual(await second.imUsers.get(key), {
        ...renamed,
        firstSeenAt: t0,
        lastSeenAt: t0 + 5,
        ...fresh,
        person,
      });
    });

    test('an event without name and language forgets neither, and an old one does not turn time back', async () => {
      const { store, second } = pair();
      const key = someone();
      const { person } = await store.imUsers.see({ key, name: 'Bob', isBot: true, language: 'en' }, 200_000);
      await store.imUsers.see({ key, name: '', isBot: true, language: null }, 400_000);
      await second.imUsers.see({ key, name: 'Bob', isBot: true, language: 'en' }, 100_000);
      const expected = { key, name: 'Bob', isBot: true, language: 'en', firstSeenAt: 200_000, lastSeenAt: 400_000 };
      assert.deepEqual(await store.imUsers.get(key), { ...expected, ...fresh, person });
    });

    test('somebody who talks all the time is written once a minute', async () => {
      const { store } = pair();
      const key = someone();
      const seen = { key, name: 'Cem', isBot: false, language: null };
      await store.imUsers.see(seen, 1_000_000);
      await store.imUsers.see(seen, 1_059_999);
      assert.equal((await store.imUsers.get(key))?.lastSeenAt, 1_000_000);
      await store.imUsers.see(seen, 1_060_000);
      assert.equal((await store.imUsers.get(key))?.lastSeenAt, 1_060_000);
    });

    test('first contact of one user in many places at once', async () => {
      const key = someone();
      const seen = { key, name: 'Dee', isBot: false, language: null };
      const all = await atOnce(pair(), 10, (store) => store.imUsers.see(seen, 7));
      const person = all[0]?.person;
      for (const user of all) assert.deepEqual(user, { ...seen, firstSeenAt: 7, lastSeenAt: 7, ...fresh, person });
    });
  });
}

/** What nobody has chosen or been granted yet. */
const fresh = { chosenLanguage: null, role: null };

const someone = () => imUserKey({ channelType: 'telegram', tenant: '', user: newRunId() });
