import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { admissionsContract } from './contract/admissions.ts';
import { chatMovesContract } from './contract/chat-moves.ts';
import { chatsContract } from './contract/chats.ts';
import { filesContract } from './contract/files.ts';
import { open, type Pair, type StorePlace, type StoreSubject, say, somewhere, startRun } from './contract/fixture.ts';
import { hostedContract } from './contract/hosted.ts';
import { imUsersContract } from './contract/im-users.ts';
import { logContract } from './contract/log.ts';
import { memoryContract } from './contract/memory.ts';
import { migrationContract } from './contract/migration.ts';
import { overheardContract } from './contract/overheard.ts';
import { personsContract } from './contract/persons.ts';
import { proposalsContract } from './contract/proposals.ts';
import { runsContract } from './contract/runs.ts';
import { schedulesContract } from './contract/schedules.ts';
import { tasksContract } from './contract/tasks.ts';
import { threadsContract } from './contract/threads.ts';
import { usageContract } from './contract/usage.ts';
import { valuesContract } from './contract/values.ts';
import type { Store } from './port.ts';

/** What every store does, whatever it runs on. */
export function storeContract(name: string, subject: StoreSubject): void {
  describe(name, () => {
    let place: StorePlace;
    let store: Store;
    let second: Store;
    before(async () => {
      place = await subject.empty();
      store = await open(place);
      second = await open(place);
    });
    after(async () => {
      await store.close();
      await second.close();
    });
    const pair = (): Pair => ({ store, second });

    threadsContract(pair);
    logContract(pair, subject.histories);
    runsContract(pair);
    imUsersContract(pair);
    personsContract(pair);
    schedulesContract(pair);
    chatsContract(pair);
    admissionsContract(pair);
    chatMovesContract(pair);
    proposalsContract(pair);
    valuesContract(pair);
    hostedContract(pair);
    filesContract(pair);
    usageContract(pair, () => place);
    memoryContract(pair, () => place);
    overheardContract(pair);
    tasksContract(pair);
    migrationContract(subject);

    test('a sound database passes its check', async () => {
      await store.check();
    });

    test('what was stored is there after closing and opening again', async () => {
      const key = somewhere();
      const before = await open(place);
      const thread = await before.threads.open(key);
      const run = await startRun(before, thread.id);
      await before.log.append(thread.id, run, [say('kept')]);
      await before.runs.settle(thread.id, run);
      await before.close();
      await before.close();
      const again = await open(place);
      assert.deepEqual(await again.threads.open(key), thread);
      assert.deepEqual(await again.log.read(thread.id), [say('kept')]);
      await again.close();
    });
  });
}
