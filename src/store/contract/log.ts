import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { RunId, ThreadId } from '../../base/ids.ts';
import type { LogEntry } from '../../harness/log.ts';
import type { Store } from '../port.ts';
import { atOnce, newThread, type Pair, say, startRun } from './fixture.ts';

/** The log holds what committed runs wrote. */
export function logContract(pair: () => Pair, histories: number): void {
  describe('log', () => {
    test('entries count once their run has committed, never when it was abandoned', async () => {
      const { store } = pair();
      const thread = await newThread(store);
      const kept = await startRun(store, thread);
      await store.log.append(thread, kept, [say('one'), say('two')]);
      assert.deepEqual(await store.log.read(thread), []);
      assert.deepEqual(await store.log.read(thread, undefined, kept), [say('one'), say('two')]);
      assert.deepEqual(await store.log.read(thread, 1, kept), [say('two')]);
      await store.runs.settle(thread, kept);
      const lost = await startRun(store, thread);
      await store.log.append(thread, lost, [say('lost')]);
      const next = await startRun(store, thread);
      await store.log.append(thread, next, [say('three')]);
      await store.runs.settle(thread, next);
      assert.deepEqual(await store.log.read(thread), [say('one'), say('two'), say('three')]);
      assert.deepEqual(await store.log.read(thread, 2), [say('two'), say('three')]);
      assert.deepEqual(await store.log.read(thread, 0), []);
    });

    test('what an abandoned run has written can be read by its id alone', async () => {
      const { store } = pair();
      const [thread, other] = [await newThread(store), await newThread(store)];
      const lost = await startRun(store, thread);
      await store.log.append(thread, lost, [say('one'), say('two')]);
      const next = await startRun(store, thread);
      await store.log.append(thread, next, [say('three')]);
      await store.log.append(thread, lost, [say('late')]);
      await store.runs.settle(thread, next);
      assert.deepEqual(await store.log.ofRun(thread, lost), [say('one'), say('two'), say('late')]);
      assert.deepEqual(await store.log.ofRun(other, lost), []);
    });

    test('an entry comes back exactly as it was, whatever characters it holds', async () => {
      const { store } = pair();
      const thread = await newThread(store);
      const run = await startRun(store, thread);
      const entry: LogEntry = {
        kind: 'assistant',
        id: 'e"1',
        at: 1_700_000_000_123,
        text: 'NUL \0, half a pair \ud83d, 谢谢 😀 \u2028 \\u0000 \' " %s $1 ?',
        toolCalls: [{ id: 'c', name: 'n', arguments: '{"a":' }],
        model: 'm',
        partial: true,
      };
      await store.log.append(thread, run, [entry]);
      await store.log.append(thread, run, []);
      await store.runs.settle(thread, run);
      assert.deepEqual(await store.log.read(thread), [entry]);
    });

    test('more entries than fit into one statement keep their order', async () => {
      const { store } = pair();
      const thread = await newThread(store);
      const run = await startRun(store, thread);
      const many = Array.from({ length: 1_201 }, (_, n) => say(`entry ${n}`));
      await store.log.append(thread, run, many);
      await store.runs.settle(thread, run);
      assert.deepEqual(await store.log.read(thread), many);
    });

    test('two runs of one thread that write at once lose nothing', async () => {
      const { store, second } = pair();
      const thread = await newThread(store);
      const runs = await Promise.all([startRun(store, thread), startRun(second, thread)]);
      await atOnce(pair(), 30, (each, n) =>
        each.log.append(thread, runs[n % 2] ?? runs[0], [say(`a${n}`), say(`b${n}`)]),
      );
      for (const run of runs) await store.runs.settle(thread, run);
      await store.runs.settle(thread, runs[1]);
      const texts = (await store.log.read(thread)).map((entry) => ('text' in entry ? entry.text : ''));
      assert.equal(texts.length, 60);
      for (let n = 0; n < 30; n++) assert.equal(texts.indexOf(`b${n}`), texts.indexOf(`a${n}`) + 1);
    });

    test('a limit reaches back over however much was abandoned', async () => {
      const { store } = pair();
      const thread = await newThread(store);
      const first = await startRun(store, thread);
      await store.log.append(thread, first, [say('one'), say('two'), say('three')]);
      await store.runs.settle(thread, first);
      const lost = await startRun(store, thread);
      await store.log.append(
        thread,
        lost,
        Array.from({ length: 200 }, (_, n) => say(`lost ${n}`)),
      );
      await store.runs.settle(thread, first);
      assert.deepEqual(await store.log.read(thread, 2), [say('two'), say('three')]);
      assert.deepEqual(await store.log.read(thread, 10), [say('one'), say('two'), say('three')]);
    });

    test('threads do not see each other', async () => {
      const { store } = pair();
      const [one, other] = [await newThread(store), await newThread(store)];
      const run = await startRun(store, one);
      await store.log.append(one, run, [say('mine')]);
      await store.runs.settle(one, run);
      assert.deepEqual(await store.log.read(other), []);
    });

    test('any history of runs reads as the entries of its committed runs, in order', async () => {
      const { store, second } = pair();
      await fc.assert(
        fc.asyncProperty(fc.array(turn, { maxLength: 12 }), fc.integer({ min: 0, max: 20 }), async (turns, limit) => {
          const thread = await newThread(store);
          const expected = await play(store, thread, turns);
          assert.deepEqual(await store.log.read(thread), expected);
          assert.deepEqual(await second.log.read(thread, limit), limit === 0 ? [] : expected.slice(-limit));
        }),
        { numRuns: histories },
      );
    });
  });
}

/** One turn of a history: how its entries were appended, and how it ended. */
const turn = fc.record({
  batches: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
  /** `late`: the bus has it committed, but the worker died before it could tell the store. */
  end: fc.constantFrom('committed', 'late', 'abandoned'),
});

/** Plays the turns as workers do, and says which entries count in the end. */
async function play(
  store: Store,
  thread: ThreadId,
  turns: readonly { readonly batches: readonly number[]; readonly end: 'committed' | 'late' | 'abandoned' }[],
): Promise<LogEntry[]> {
  const counted: LogEntry[] = [];
  let lastCommit: RunId | null = null;
  for (const [index, { batches, end }] of turns.entries()) {
    await store.runs.settle(thread, lastCommit);
    const run = await startRun(store, thread);
    const written = batches.map((size, batch) => Array.from({ length: size }, (_, n) => say(`${index}.${batch}.${n}`)));
    for (const batch of written) await store.log.append(thread, run, batch);
    if (end === 'abandoned') continue;
    counted.push(...written.flat());
    lastCommit = run;
    if (end === 'committed') await store.runs.settle(thread, run);
  }
  await store.runs.settle(thread, lastCommit);
  return counted;
}
