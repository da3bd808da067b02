import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newRunId, newThreadId, type RunId } from '../../base/ids.ts';
import type { Store } from '../port.ts';
import { failsWith, newRun, newThread, type Pair, say, startRun } from './fixture.ts';

/** Runs, how they end, and what counts. */
export function runsContract(pair: () => Pair): void {
  describe('runs', () => {
    test('a run is told from start to end', async () => {
      const { store } = pair();
      const thread = await newThread(store);
      const run = newRun(thread, 1_700_000_000_000);
      await store.runs.start(run);
      await store.runs.start(run);
      assert.deepEqual(await store.runs.get(run.id), {
        ...run,
        status: 'running',
        endedAt: null,
        result: null,
        errorCode: null,
        errorDetail: null,
        inputTokens: 0,
        outputTokens: 0,
      });
      const end = {
        endedAt: 1_700_000_005_000,
        result: 'failed',
        errorCode: 'unavailable',
        errorDetail: '502 from\0 the model',
        inputTokens: 5_000_000_000,
        outputTokens: 7,
      };
      await store.runs.end(run.id, end);
      assert.deepEqual(await store.runs.get(run.id), {
        ...run,
        ...end,
        errorDetail: '502 from\uFFFD the model',
        status: 'running',
      });
      assert.equal(await store.runs.get(newRunId()), null);
    });

    test('a run of a thread that does not exist is refused', async () => {
      const { store } = pair();
      await assert.rejects(store.runs.start(newRun(newThreadId(), 1)), failsWith('not_found'));
    });

    test('list is newest first and bounded', async () => {
      const { store } = pair();
      const thread = await newThread(store);
      const made: RunId[] = [];
      for (let n = 0; n < 5; n++) made.push(await startRun(store, thread, 1_000 + n));
      const listed = await store.runs.list(thread, 3);
      assert.deepEqual(
        listed.map((run) => run.id),
        made.reverse().slice(0, 3),
      );
    });

    test('settle commits one run, abandons the others, and may be said again', async () => {
      const { store } = pair();
      const thread = await newThread(store);
      const [first, second, third] = [
        await startRun(store, thread),
        await startRun(store, thread),
        await startRun(store, thread),
      ];
      for (let times = 0; times < 2; times++) {
        await store.runs.settle(thread, second);
        assert.deepEqual(await statuses(store, [first, second, third]), ['abandoned', 'committed', 'abandoned']);
      }
      const unheard = await startRun(store, thread);
      await store.runs.settle(thread, second);
      assert.deepEqual(await statuses(store, [second, unheard]), ['committed', 'abandoned']);
    });

    test('settle without a commit abandons what runs', async () => {
      const { store } = pair();
      const thread = await newThread(store);
      const run = await startRun(store, thread);
      await store.runs.settle(thread, null);
      assert.deepEqual(await statuses(store, [run]), ['abandoned']);
    });

    test('the word of the bus outweighs a worker that had lost the thread', async () => {
      const { store } = pair();
      const thread = await newThread(store);
      const [former, run] = [await startRun(store, thread), await startRun(store, thread)];
      await store.log.append(thread, run, [say('answer')]);
      await store.runs.settle(thread, former); // by the old worker, which does not know of `run`
      await store.runs.settle(thread, run);
      assert.deepEqual(await statuses(store, [former, run]), ['committed', 'committed']);
      assert.deepEqual(await store.log.read(thread), [say('answer')]);
    });

    test('settle leaves other threads alone', async () => {
      const { store } = pair();
      const [one, other] = [await newThread(store), await newThread(store)];
      const run = await startRun(store, other);
      await store.runs.settle(one, run);
      assert.deepEqual(await statuses(store, [run]), ['running']);
    });

    test('events come back in order, once each', async () => {
      const { store } = pair();
      const run = await startRun(store, await newThread(store));
      await store.runs.addEvents(run, []);
      await store.runs.addEvents(run, [
        { seq: 2, at: 20, type: 'tool_start', data: { name: 'now' } },
        { seq: 1, at: 10, type: 'model_start', data: null },
      ]);
      await store.runs.addEvents(run, [{ seq: 2, at: 99, type: 'again', data: 0 }]);
      assert.deepEqual(await store.runs.events(run), [
        { seq: 1, at: 10, type: 'model_start', data: null },
        { seq: 2, at: 20, type: 'tool_start', data: { name: 'now' } },
      ]);
    });
  });
}

async function statuses(store: Store, ids: readonly RunId[]): Promise<(string | undefined)[]> {
  return Promise.all(ids.map(async (id) => (await store.runs.get(id))?.status));
}
