import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { AntlerError } from '../base/errors.ts';
import { imUserKey, newRunId, newThreadId, type RunId, type ThreadId, type ThreadKey, threadKey } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import type { LogEntry } from '../harness/log.ts';
import { openStore } from './index.ts';
import type { NewRun, Store } from './port.ts';

/** Which database; goes to other processes as JSON. */
export type StorePlace = { readonly url: string } | { readonly file: string };

const run = promisify(execFile);

export interface StoreSubject {
  /** A new, empty database, gone when the test file ends. */
  empty(): Promise<StorePlace>;
  /** Runs a statement behind the store's back. */
  execute(place: StorePlace, statement: string): Promise<void>;
  /** How many random histories to play. */
  readonly histories: number;
}

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

    describe('threads', () => {
      test('a place keeps its thread until it is renewed, and the former one stays readable', async () => {
        const key = somewhere();
        const first = await store.threads.open(key);
        assert.equal(first.key, key);
        assert.equal(typeof first.createdAt, 'number');
        assert.deepEqual(await store.threads.open(key), first);

        const fresh = await store.threads.renew(key);
        assert.notEqual(fresh.id, first.id);
        assert.deepEqual(await store.threads.open(key), fresh);
        assert.deepEqual(await store.threads.get(first.id), first);
        assert.equal(await store.threads.get(newThreadId()), null);
      });

      test('a place that nobody has been to can be renewed', async () => {
        const key = somewhere();
        assert.deepEqual(await store.threads.renew(key), await store.threads.open(key));
      });

      test('many callers in several processes get one thread for a new place', async () => {
        const key = somewhere();
        const found = await Promise.all(
          Array.from({ length: 20 }, (_, n) => (n % 2 ? store : second).threads.open(key)),
        );
        assert.equal(new Set(found.map((thread) => thread.id)).size, 1);
      });

      test('renewals at once are all different, and one of them is current', async () => {
        const key = somewhere();
        const made = await Promise.all(
          Array.from({ length: 10 }, (_, n) => (n % 2 ? store : second).threads.renew(key)),
        );
        const ids = new Set(made.map((thread) => thread.id));
        assert.equal(ids.size, 10);
        assert.ok(ids.has((await store.threads.open(key)).id));
      });
    });

    describe('log', () => {
      test('entries count once their run has committed, never when it was abandoned', async () => {
        const thread = await newThread(store);
        const kept = await startRun(store, thread);
        await store.log.append(thread, kept, [say('one'), say('two')]);
        assert.deepEqual(await store.log.read(thread), []);
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

      test('an entry comes back exactly as it was, whatever characters it holds', async () => {
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
        const thread = await newThread(store);
        const run = await startRun(store, thread);
        const many = Array.from({ length: 1_201 }, (_, n) => say(`entry ${n}`));
        await store.log.append(thread, run, many);
        await store.runs.settle(thread, run);
        assert.deepEqual(await store.log.read(thread), many);
      });

      test('two runs of one thread that write at once lose nothing', async () => {
        const thread = await newThread(store);
        const runs = await Promise.all([startRun(store, thread), startRun(second, thread)]);
        await Promise.all(
          Array.from({ length: 30 }, (_, n) =>
            (n % 2 ? store : second).log.append(thread, runs[n % 2] ?? runs[0], [say(`a${n}`), say(`b${n}`)]),
          ),
        );
        for (const run of runs) await store.runs.settle(thread, run);
        await store.runs.settle(thread, runs[1]);
        const texts = (await store.log.read(thread)).map((entry) => entry.text);
        assert.equal(texts.length, 60);
        for (let n = 0; n < 30; n++) assert.equal(texts.indexOf(`b${n}`), texts.indexOf(`a${n}`) + 1);
      });

      test('a limit reaches back over however much was abandoned', async () => {
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
        const [one, other] = [await newThread(store), await newThread(store)];
        const run = await startRun(store, one);
        await store.log.append(one, run, [say('mine')]);
        await store.runs.settle(one, run);
        assert.deepEqual(await store.log.read(other), []);
      });

      test('any history of runs reads as the entries of its committed runs, in order', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(turn, { maxLength: 12 }), fc.integer({ min: 0, max: 20 }), async (turns, limit) => {
            const thread = await newThread(store);
            const expected = await play(store, thread, turns);
            assert.deepEqual(await store.log.read(thread), expected);
            assert.deepEqual(await second.log.read(thread, limit), limit === 0 ? [] : expected.slice(-limit));
          }),
          { numRuns: subject.histories },
        );
      });
    });

    describe('runs', () => {
      test('a run is told from start to end', async () => {
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
        await assert.rejects(store.runs.start(newRun(newThreadId(), 1)), failsWith('not_found'));
      });

      test('list is newest first and bounded', async () => {
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
        const thread = await newThread(store);
        const run = await startRun(store, thread);
        await store.runs.settle(thread, null);
        assert.deepEqual(await statuses(store, [run]), ['abandoned']);
      });

      test('the word of the bus outweighs a worker that had lost the thread', async () => {
        const thread = await newThread(store);
        const [former, run] = [await startRun(store, thread), await startRun(store, thread)];
        await store.log.append(thread, run, [say('answer')]);
        await store.runs.settle(thread, former); // by the old worker, which does not know of `run`
        await store.runs.settle(thread, run);
        assert.deepEqual(await statuses(store, [former, run]), ['committed', 'committed']);
        assert.deepEqual(await store.log.read(thread), [say('answer')]);
      });

      test('settle leaves other threads alone', async () => {
        const [one, other] = [await newThread(store), await newThread(store)];
        const run = await startRun(store, other);
        await store.runs.settle(one, run);
        assert.deepEqual(await statuses(store, [run]), ['running']);
      });

      test('events come back in order, once each', async () => {
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

    describe('IM users', () => {
      test('first contact and later ones', async () => {
        const key = someone();
        const t0 = 1_700_000_000_000;
        assert.equal(await store.imUsers.get(key), null);
        const first = await store.imUsers.see({ key, name: 'Ann', isBot: false, language: 'de' }, t0);
        const expected = { key, name: 'Ann', isBot: false, language: 'de', firstSeenAt: t0, lastSeenAt: t0 };
        assert.deepEqual(first, expected);
        assert.deepEqual(await store.imUsers.get(key), expected);

        const renamed = { key, name: 'Anna', isBot: false, language: 'zh-hans' };
        await store.imUsers.see(renamed, t0 + 5);
        assert.deepEqual(await second.imUsers.get(key), { ...renamed, firstSeenAt: t0, lastSeenAt: t0 + 5 });
      });

      test('an event without name and language forgets neither, and an old one does not turn time back', async () => {
        const key = someone();
        await store.imUsers.see({ key, name: 'Bob', isBot: true, language: 'en' }, 200_000);
        await store.imUsers.see({ key, name: '', isBot: true, language: null }, 400_000);
        await second.imUsers.see({ key, name: 'Bob', isBot: true, language: 'en' }, 100_000);
        const expected = { key, name: 'Bob', isBot: true, language: 'en', firstSeenAt: 200_000, lastSeenAt: 400_000 };
        assert.deepEqual(await store.imUsers.get(key), expected);
      });

      test('somebody who talks all the time is written once a minute', async () => {
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
        const all = await Promise.all(
          Array.from({ length: 10 }, (_, n) => (n % 2 ? store : second).imUsers.see(seen, 7)),
        );
        for (const user of all) assert.deepEqual(user, { ...seen, firstSeenAt: 7, lastSeenAt: 7 });
      });
    });

    describe('settings', () => {
      test('values are kept, replaced and deleted', async () => {
        const key = `key ${newRunId()}`;
        assert.equal(await store.settings.get(key), undefined);
        for (const value of [{ a: [1, null, '谢谢\0'] }, null, false, 'text']) {
          await store.settings.set(key, value);
          assert.deepEqual(await second.settings.get(key), value);
        }
        await store.settings.delete(key);
        await store.settings.delete(key);
        assert.equal(await store.settings.get(key), undefined);
        await assert.rejects(store.settings.set(key, undefined), failsWith('bad_input'));
      });
    });

    describe('hosted chats', () => {
      const message = (chat: string, id: string, markdown = id) =>
        ({ id, chat, author: 'person', name: 'Ann', markdown, at: 1_700_000_000_000 }) as const;

      test('messages are appended in order, listed by pages, edited', async () => {
        const chats = store.hosted('web');
        const chat = newRunId();
        for (const id of ['m1', 'm2', 'm3', 'm4']) await chats.append(message(chat, id));
        assert.deepEqual(await chats.list(chat, 2), [
          { ...message(chat, 'm3'), seq: 3 },
          { ...message(chat, 'm4'), seq: 4 },
        ]);
        assert.deepEqual(
          (await chats.list(chat, 10, 3)).map((entry) => entry.id),
          ['m1', 'm2'],
        );
        await chats.edit(chat, 'm1', 'changed\0');
        await chats.edit(chat, 'nobody', 'changed');
        assert.deepEqual(
          (await chats.list(chat, 10)).map((entry) => entry.markdown),
          ['changed\uFFFD', 'm2', 'm3', 'm4'],
        );
      });

      test('the same id again yields what is stored, in this chat only', async () => {
        const chats = store.hosted('web');
        const [chat, other] = [newRunId(), newRunId()];
        const first = await chats.append(message(chat, 'm', 'first'));
        assert.deepEqual(await second.hosted('web').append(message(chat, 'm', 'second')), first);
        assert.equal((await chats.append(message(other, 'm', 'third'))).markdown, 'third');
        assert.equal((await store.hosted('other').append(message(chat, 'm', 'fourth'))).markdown, 'fourth');
        assert.equal((await chats.list(chat, 10)).length, 1);
      });

      test('many writers at once leave no gap and no double', async () => {
        const chat = newRunId();
        await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            (n % 2 ? store : second).hosted('web').append(message(chat, `m${n % 15}`)),
          ),
        );
        const listed = await store.hosted('web').list(chat, 50);
        assert.deepEqual(
          listed.map((entry) => entry.seq),
          Array.from({ length: 15 }, (_, n) => n + 1),
        );
        assert.equal(new Set(listed.map((entry) => entry.id)).size, 15);
      });
    });

    test('the state of channels is kept by channel and key', async () => {
      const key = newRunId();
      assert.equal(await store.channelState.get('telegram', key), null);
      await store.channelState.set('telegram', key, '41');
      await store.channelState.set('telegram', key, '42');
      await store.channelState.set('slack', key, 'x');
      assert.equal(await second.channelState.get('telegram', key), '42');
      assert.equal(await second.channelState.get('slack', key), 'x');
    });

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
        await assert.rejects(open(future), (error) => {
          assert.ok(error instanceof AntlerError);
          assert.equal(error.code, 'config_invalid');
          assert.match(error.message, /newer Antler.*9999-later/);
          return true;
        });
      });
    });
  });
}

const open = (place: StorePlace): Promise<Store> => openStore({ ...place, log: silentLogger });

/** Opens the store in a process of its own and says which thread it finds for the place. */
async function openInProcess(place: StorePlace, key: ThreadKey): Promise<string> {
  const program = `
    const { openStore } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)});
    const { silentLogger } = await import(${JSON.stringify(new URL('../base/logger.ts', import.meta.url).href)});
    const store = await openStore({ ...${JSON.stringify(place)}, log: silentLogger });
    console.log((await store.threads.open(${JSON.stringify(key)})).id);
    await store.close();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return stdout.trim();
}

export const somewhere = (): ThreadKey =>
  threadKey({ channel: 'tele/gram ü', chat: newRunId(), topic: '5', user: '%\0' });
const someone = () => imUserKey({ channelType: 'telegram', tenant: '', user: newRunId() });

export const newThread = async (store: Store): Promise<ThreadId> => (await store.threads.open(somewhere())).id;

const newRun = (thread: ThreadId, startedAt: number): NewRun => ({
  id: newRunId(),
  thread,
  assistant: 'lead',
  model: 'main',
  firstSeq: 3,
  startedAt,
});

export async function startRun(store: Store, thread: ThreadId, startedAt = 1_700_000_000_000): Promise<RunId> {
  const run = newRun(thread, startedAt);
  await store.runs.start(run);
  return run.id;
}

export const say = (text: string): LogEntry => ({
  kind: 'user',
  id: text,
  at: 1_700_000_000_000,
  text,
  speaker: { id: 'telegram//7', name: 'Ann' },
});

async function statuses(store: Store, ids: readonly RunId[]): Promise<(string | undefined)[]> {
  return Promise.all(ids.map(async (id) => (await store.runs.get(id))?.status));
}

export const failsWith = (code: AntlerError['code']) => (error: unknown) =>
  error instanceof AntlerError && error.code === code;

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
