import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ThreadKey } from '../../base/ids.ts';
import { outputOfProgram } from '../../testing/program.ts';
import { failsWith, open, type StorePlace, type StoreSubject, somewhere } from './fixture.ts';

/** Any number of processes may open a database at once, whatever its age. */
export function migrationContract(subject: StoreSubject): void {
  describe('migration', () => {
    test('processes that start at once on a new database migrate it once and agree', async () => {
      const fresh = await subject.empty();
      const key = somewhere();
      const found = await Promise.all([1, 2, 3].map(() => openInProcess(fresh, key)));
      assert.match(found[0] ?? '', /^t_/);
      assert.equal(new Set(found).size, 1);
    });

    test('stores of one process that open a new database at once do not block each other', async () => {
      const fresh = await subject.empty();
      const key = somewhere();
      const stores = await Promise.all([1, 2, 3, 4].map(() => open(fresh)));
      const found = await Promise.all(stores.map((each) => each.threads.open(key)));
      assert.equal(new Set(found.map((thread) => thread.id)).size, 1);
      await Promise.all(stores.map((each) => each.close()));
    });

    test('a database that a newer Antler has made is refused with a clear message', async () => {
      const future = await subject.empty();
      await (await open(future)).close();
      await subject.execute(future, "insert into kysely_migration values ('9999-later', '2999-01-01T00:00:00.000Z')");
      await assert.rejects(open(future), failsWith('config_invalid', /newer Antler.*9999-later/));
    });
  });
}

/** Opens the store in a process of its own and says which thread it finds for the place. */
async function openInProcess(place: StorePlace, key: ThreadKey): Promise<string> {
  const program = `
    const { openStore } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)});
    const { silentLogger } = await import(${JSON.stringify(new URL('../../base/logger.ts', import.meta.url).href)});
    const store = await openStore({ ...${JSON.stringify(place)}, log: silentLogger });
    console.log((await store.threads.open(${JSON.stringify(key)})).id);
    await store.close();`;
  return outputOfProgram(program);
}
