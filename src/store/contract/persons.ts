import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ImUserKey, imUserKey, newRunId } from '../../base/ids.ts';
import type { ImUser, Store, Whereabouts } from '../port.ts';
import type { Pair } from './fixture.ts';

const somebody = (): ImUserKey => imUserKey({ channelType: 'telegram', tenant: '', user: newRunId() });
const meet = (store: Store, key = somebody(), at = 1_000): Promise<ImUser> =>
  store.imUsers.see({ key, name: 'Ann', isBot: false, language: null }, at);
const code = (): string => newRunId().slice(-8);
const at = (key: ImUserKey): Whereabouts => ({ key, channel: 'telegram', chat: '7' });

export function personsContract(pair: () => Pair): void {
  describe('persons', () => {
    test('every IM user is a person of their own at first, and stays the same one', async () => {
      const { store, second } = pair();
      const ann = await meet(store);
      const again = await meet(second, ann.key, 200_000);
      const bob = await meet(store);
      assert.equal(again.person, ann.person);
      assert.notEqual(bob.person, ann.person);
      assert.equal(ann.role, null);
    });

    test('two IM users become one person with the better role, in every process at once', async () => {
      const { store, second } = pair();
      const [ann, bob] = [await meet(store), await meet(second)];
      await store.persons.grant(ann.person, 'admin', 'owner', 1);
      await store.persons.grant(bob.person, 'member', 'owner', 2);
      await second.persons.merge(ann.person, bob.person);
      const merged = await meet(store, ann.key, 1_001);
      assert.deepEqual([merged.person, merged.role], [bob.person, 'admin']);
      const keys = (await store.persons.imUsers(bob.person)).map(({ key }) => key);
      assert.deepEqual(keys.toSorted(), [ann.key, bob.key].toSorted());
      assert.deepEqual(await store.persons.imUsers(ann.person), []);
    });

    test('who is split off is somebody new and without a role; who is alone is not split', async () => {
      const { store } = pair();
      const [ann, bob] = [await meet(store), await meet(store)];
      await store.persons.grant(ann.person, 'owner', 'first', 1);
      assert.equal(await store.persons.split(ann.key), null);
      await store.persons.merge(bob.person, ann.person);
      const person = await store.persons.split(bob.key);
      const after = await store.imUsers.get(bob.key);
      assert.ok(person !== null && person !== ann.person && person !== bob.person);
      assert.deepEqual([after?.person, after?.role], [person, null]);
      assert.equal((await store.imUsers.get(ann.key))?.role, 'owner');
    });

    test('a role is granted, changed and taken away', async () => {
      const { store, second } = pair();
      const ann = await meet(store);
      await store.persons.grant(ann.person, 'operator', 'owner', 1);
      await store.persons.grant(ann.person, 'admin', 'cli', 2);
      assert.equal((await second.imUsers.get(ann.key))?.role, 'admin');
      const grant = (await second.persons.grants()).find(({ person }) => person === ann.person);
      assert.deepEqual(grant, { person: ann.person, role: 'admin', grantedBy: 'cli', grantedAt: 2 });
      await second.persons.grant(ann.person, null, 'cli', 3);
      assert.equal((await meet(store, ann.key, 1_002)).role, null);
    });

    test('somebody is found by what their platform calls them, in whatever tenant, and nobody else', async () => {
      const { store } = pair();
      const user = `50%_${newRunId()}/é`;
      const keys = ['T1', 'T2'].map((tenant) => imUserKey({ channelType: 'slack', tenant, user }));
      for (const key of keys) await meet(store, key);
      await meet(store, imUserKey({ channelType: 'slack', tenant: 'T1', user: `x${user}` }));
      await meet(store, imUserKey({ channelType: 'telegram', tenant: '', user }));
      const found = await store.imUsers.called('slack', user);
      assert.deepEqual(found.map(({ key }) => key).toSorted(), keys);
      assert.deepEqual(await store.imUsers.called('slack', user.replace('%', 'A')), []);
    });

    test('a chosen language stays, and people are listed page by page, last seen first', async () => {
      const { store } = pair();
      const [ann, bob, cid] = [
        await meet(store, somebody(), 9_000_000_000_001),
        await meet(store, somebody(), 9_000_000_000_002),
        await meet(store, somebody(), 9_000_000_000_003),
      ];
      await store.imUsers.chooseLanguage(bob.key, 'zh');
      const first = await store.imUsers.list({ limit: 2 });
      const last = first[1];
      assert.ok(last !== undefined);
      const next = await store.imUsers.list({ limit: 1, before: last });
      assert.deepEqual(
        [...first, ...next].map(({ key, chosenLanguage }) => [key, chosenLanguage]),
        [
          [cid.key, null],
          [bob.key, 'zh'],
          [ann.key, null],
        ],
      );
    });
  });

  describe('links', () => {
    test('a code is claimed by one, agreed to by that one, and taken once', async () => {
      const { store, second } = pair();
      const request = { code: code(), asker: at(somebody()), askedAt: 10 };
      const [bob, eve] = [at(somebody()), at(somebody())];
      assert.equal(await store.links.ask(request), true);
      assert.equal(await second.links.claim(request.code, request.asker, 0), null);
      assert.equal((await second.links.claim(request.code, bob, 0))?.asker.chat, '7');
      assert.equal(await store.links.claim(request.code, eve, 0), null);
      assert.equal(await store.links.agree(request.code, eve.key, 0), null);
      assert.equal((await store.links.agree(request.code, bob.key, 0))?.claimerAgrees, true);
      assert.deepEqual(await second.links.get(request.code, 9), { ...request, claimer: bob, claimerAgrees: true });
      const taken = await Promise.all([store.links.take(request.code), second.links.take(request.code)]);
      assert.equal(taken.filter((one) => one !== null).length, 1);
    });

    test('a code is void when it is old, or when its asker asks again', async () => {
      const { store } = pair();
      const request = { code: code(), asker: at(somebody()), askedAt: 10 };
      await store.links.ask(request);
      assert.equal(await store.links.claim(request.code, at(somebody()), 10), null);
      await store.links.ask({ ...request, code: code(), askedAt: 11 });
      assert.equal(await store.links.get(request.code, 0), null);
    });
  });

  describe('choices and audit', () => {
    test('a choice keeps what is not chosen anew', async () => {
      const { store, second } = pair();
      const { key } = await store.threads.open(newRunId() as never);
      const by = somebody();
      assert.deepEqual(await store.choices.get(key), { assistant: null, model: null });
      await store.choices.set(key, { assistant: 'research' }, by, 1);
      await second.choices.set(key, { model: 'big' }, by, 2);
      assert.deepEqual(await store.choices.get(key), { assistant: 'research', model: 'big' });
      await second.choices.set(key, { assistant: null }, by, 3);
      assert.deepEqual(await store.choices.get(key), { assistant: null, model: 'big' });
    });

    test('what was changed is listed newest first, page by page, of one subject or of all', async () => {
      const { store } = pair();
      const subject = somebody();
      for (const at of [1, 2, 3])
        await store.audit.add({ at, actor: 'owner', action: 'role.grant', subject, details: { after: `r${at}` } });
      const [newest, middle] = await store.audit.list({ limit: 2, subject });
      assert.deepEqual([newest?.details, middle?.at], [{ after: 'r3' }, 2]);
      assert.ok(middle !== undefined);
      const rest = await store.audit.list({ limit: 9, subject, before: middle });
      assert.deepEqual(
        rest.map(({ at }) => at),
        [1],
      );
    });
  });
}
