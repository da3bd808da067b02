import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  chatSubject,
  type ImUserKey,
  imUserKey,
  type MemorySubject,
  newFactId,
  newPersonId,
  newRunId,
  personSubject,
  type ThreadId,
} from '../../base/ids.ts';
import { outputOfProgram } from '../../testing/program.ts';
import type { Change, JobNotice, NewFact } from '../memory/port.ts';
import type { Store } from '../port.ts';
import { atOnce, newThread, type Pair, type StorePlace, say, somewhere, startRun } from './fixture.ts';

const AT = 1_700_000_000_000;
const somebody = (): MemorySubject => personSubject(newPersonId());
const someUser = (): ImUserKey => imUserKey({ channelType: 'telegram', tenant: '', user: newRunId() });

const fact = (subject: MemorySubject, content: string, more: Partial<NewFact> = {}): NewFact => ({
  id: newFactId(),
  subject,
  content,
  hash: content.toLowerCase(),
  category: 'knowledge',
  confidence: 0.85,
  source: { thread: 't1' as ThreadId, entry: 'e\0 1', at: AT },
  saidBy: null,
  speaker: 'Ann\0',
  createdAt: AT,
  lastSeenAt: AT,
  validUntil: null,
  isPrivate: false,
  ...more,
});

const write = (store: Store, subject: MemorySubject, change: Change): Promise<boolean> =>
  store.memory.change([subject], AT, () => new Map([[subject, change]]));

const notice = (subject: MemorySubject, thread: ThreadId, imUser: ImUserKey | null = null): JobNotice => ({
  ...{ subject, thread, imUser, channel: 'telegram', chat: '7', chatKind: 'dm' },
  ...{ assistant: 'lead', language: 'en' },
});

const wait = { debounceMs: 30, maxWaitMs: 100 };

export function memoryContract(pair: () => Pair, place: () => StorePlace): void {
  describe('memory', () => {
    const contents = async (subject: MemorySubject): Promise<string[]> =>
      (await pair().second.memory.read(subject)).facts.map(({ number, content }) => `${number} ${content}`);

    /** What is told is what is kept, after whatever has happened. */
    async function assertTold(...subjects: readonly MemorySubject[]): Promise<void> {
      const { memory } = pair().store;
      const known = await memory.known(
        subjects.map((subject) => ({ subject, isPublic: false })),
        AT,
      );
      for (const subject of subjects) {
        const { facts, summaries } = await memory.read(subject);
        const told = facts.map(
          ({ id: _, subject: _subject, hash: _hash, source: _source, createdAt: _at, ...rest }) => rest,
        );
        assert.deepEqual(known.get(subject), { facts: told, summaries });
      }
    }

    test('facts come back as they were kept, numbered, once each; nobody is known before', async () => {
      const { store, second } = pair();
      const ann = somebody();
      assert.deepEqual(await store.memory.read(ann), {
        ...{ facts: [], summaries: {}, isOff: false, erasedAt: null, forgotten: {}, undo: null },
      });
      const first = fact(ann, '喝茶', { validUntil: AT + 1, saidBy: someUser(), isPrivate: true });
      await write(store, ann, { add: [first, fact(ann, 'Has a dog')], summaries: { work: 'Paints\0.' } });
      await write(second, ann, { add: [fact(ann, 'has a DOG'), fact(ann, 'Sings')] });
      const book = await second.memory.read(ann);
      assert.deepEqual(book.facts[0], {
        ...first,
        number: 1,
        speaker: 'Ann\uFFFD',
        source: { ...first.source, entry: 'e\uFFFD 1' },
      });
      assert.deepEqual(await contents(ann), ['1 喝茶', '2 Has a dog', '3 Sings']);
      assert.deepEqual(book.summaries, { work: 'Paints\uFFFD.' });
      await assertTold(ann);
    });

    test('facts are replaced and removed, by their subject only; a number is not given again', async () => {
      const { store } = pair();
      const [ann, bo] = [somebody(), somebody()];
      await write(store, ann, { add: [fact(ann, 'one'), fact(ann, 'two')], summaries: { work: 'a', recent: 'b' } });
      const [one, two] = (await store.memory.read(ann)).facts;
      assert.ok(one !== undefined && two !== undefined);
      await write(store, bo, { remove: [one.id], replace: [{ ...two, subject: bo, content: 'stolen' }] });
      assert.deepEqual(await contents(ann), ['1 one', '2 two']);
      await write(store, ann, {
        ...{ remove: [two.id], replace: [{ ...one, content: 'changed' }], add: [fact(ann, 'three')] },
        ...{ summaries: { work: '' }, forgotten: { two: AT } },
        undo: { at: AT, added: ['x'], former: [two], summaries: { work: 'a' } },
      });
      const book = await store.memory.read(ann);
      assert.deepEqual([await contents(ann), book.summaries], [['1 changed', '3 three'], { recent: 'b' }]);
      await assertTold(ann, bo);
      assert.deepEqual([book.undo?.former, book.forgotten], [[two], { two: AT }]);
    });

    test('of 20 writers in 4 processes no fact is lost and none is there twice', async () => {
      const { store } = pair();
      const ann = somebody();
      await Promise.all([0, 1, 2, 3].map((process) => writeInProcess(place(), ann, process)));
      const { facts, summaries } = await store.memory.read(ann);
      const expected = ['shared 0', 'shared 1', 'shared 2'];
      for (let writer = 0; writer < 20; writer++)
        for (let n = 0; n < 3; n++) expected.push(`own ${Math.floor(writer / 5)}-${writer % 5}-${n}`);
      assert.deepEqual(facts.map(({ content }) => content).toSorted(), expected.toSorted());
      assert.deepEqual(
        facts.map(({ number }) => number),
        expected.map((_, index) => index + 1),
      );
      // Each writer has read what the one before it had written.
      assert.equal(summaries.recent, '60');
    });

    test('what can be told: nothing private in public, nothing that has expired, nothing of who turned it off', async () => {
      const { store } = pair();
      const [ann, bo, group] = [somebody(), somebody(), chatSubject(somewhere())];
      const told = async (isPublic: boolean, subjects = [ann, bo]): Promise<object> =>
        Object.fromEntries(
          [
            ...(await store.memory.known(
              subjects.map((subject) => ({ subject, isPublic })),
              AT,
            )),
          ].map(([subject, { facts, summaries }]) => [
            subject,
            [...facts.map(({ content }) => content).toSorted(), ...Object.values(summaries)],
          ]),
        );
      for (const subject of [ann, bo])
        await write(store, subject, {
          add: [
            fact(subject, 'open'),
            fact(subject, 'private', { isPrivate: true }),
            fact(subject, 'over', { validUntil: AT }),
          ],
          summaries: { work: 'in short' },
        });
      await write(store, bo, { isOff: true });
      assert.deepEqual(await told(false), { [ann]: ['open', 'private', 'in short'], [bo]: [] });
      assert.deepEqual(await told(true), { [ann]: ['open'], [bo]: [] });
      assert.deepEqual(await told(true, [group]), { [group]: [] });
      assert.deepEqual(await told(true, []), {});
    });

    test('a conversation is due once it is quiet, or has waited long; of many who claim it one gets it', async () => {
      const { store, second } = pair();
      const { jobs } = store.memory;
      const [ann, thread] = [somebody(), await newThread(store)];
      const isDue = async (at: number): Promise<boolean> => (await jobs.due(at)) > 0;
      const start = 1_000;
      await jobs.notice(notice(ann, thread), start, wait);
      await second.memory.jobs.notice(notice(ann, thread), start + 20, wait);
      assert.deepEqual([await isDue(start + 49), await isDue(start + 50)], [false, true]);
      for (let at = start + 40; at < start + 100; at += 20) await jobs.notice(notice(ann, thread), at, wait);
      assert.deepEqual([await isDue(start + 99), await isDue(start + 100)], [false, true]);
      const claims = await atOnce(pair(), 6, ({ memory }, n) => memory.jobs.claim(`h${n}`, start + 100, start + 500));
      const [job, ...more] = claims.filter((claim) => claim !== null);
      assert.ok(job !== undefined && more.length === 0);
      assert.deepEqual([job.subject, job.thread, job.readTo, job.attempts], [ann, thread, null, 0]);

      // More was said meanwhile, so it stays due when the work ends.
      await jobs.notice(notice(ann, thread), start + 120, wait);
      assert.equal(await jobs.end({ job, readTo: 7, nextAt: null, attempts: 2 }, start + 130), true);
      assert.equal(await jobs.end({ job, readTo: 9, nextAt: null, attempts: 0 }, start + 130), false);
      const again = await jobs.claim('again', start + 230, start + 300);
      assert.deepEqual([again?.readTo, again?.attempts], [7, 2]);
      // Its holder dies.
      assert.equal(await jobs.claim('other', start + 299, start + 400), null);
      const taken = await jobs.claim('other', start + 300, start + 400);
      assert.equal(taken?.thread, thread);
      assert.ok(again !== null && taken !== null);
      assert.equal(await jobs.end({ job: again, readTo: 8, nextAt: null, attempts: 0 }, start + 301), false);
      assert.equal(await jobs.end({ job: taken, readTo: null, nextAt: null, attempts: 0 }, start + 301), true);
      assert.equal(await jobs.claim('none', start + 9_999, start + 9_999), null);
    });

    test('a job that is somebody else’s by now changes nothing', async () => {
      const { store } = pair();
      const [ann, thread] = [somebody(), await newThread(store)];
      await store.memory.jobs.notice(notice(ann, thread), 1, wait);
      const job = await store.memory.jobs.claim('late', 100, 200);
      assert.ok(job !== null);
      const next = await store.memory.jobs.claim('next', 201, 300);
      assert.ok(next !== null);
      const end = { readTo: 5, nextAt: null, attempts: 0 };
      const add = (): ReadonlyMap<MemorySubject, Change> => new Map([[ann, { add: [fact(ann, 'late')] }]]);
      assert.equal(await store.memory.change([ann], 210, add, { ...end, job }), false);
      assert.deepEqual(await contents(ann), []);
      assert.equal(await store.memory.change([ann], 210, add, { ...end, job: next }), true);
      assert.deepEqual(await contents(ann), ['1 late']);
    });

    test('entries behind a position are read, oldest first, of committed runs only', async () => {
      const { store } = pair();
      const thread = await newThread(store);
      const run = await startRun(store, thread);
      await store.log.append(thread, run, ['a', 'b', 'c'].map(say));
      await store.runs.settle(thread, run);
      await store.log.append(thread, await startRun(store, thread), [say('not yet')]);
      const ids = async (after: number | null, limit = 10): Promise<string[]> =>
        (await store.log.since(thread, after, limit)).map(({ position, entry }) => `${position} ${entry.id}`);
      assert.deepEqual(await ids(null), ['1 a', '2 b', '3 c']);
      assert.deepEqual(await ids(null, 2), ['2 b', '3 c']);
      assert.deepEqual([await ids(1, 1), await ids(1), await ids(3)], [['2 b'], ['2 b', '3 c'], []]);
    });

    test('erasing takes what is known of somebody from everywhere, and what they have said of chats', async () => {
      const { store } = pair();
      const [ann, bo, group] = [somebody(), somebody(), chatSubject(somewhere())];
      const key = someUser();
      const thread = await newThread(store);
      await write(store, ann, {
        add: [fact(ann, 'CANARY')],
        summaries: { work: 'CANARY' },
        forgotten: { CANARY: 1 },
        undo: { at: AT, added: [], former: [{ ...fact(ann, 'CANARY'), number: 1 }], summaries: { work: 'CANARY' } },
      });
      await write(store, group, {
        add: [fact(group, 'CANARY', { saidBy: key }), fact(group, 'Of others')],
        summaries: { work: 'CANARY' },
      });
      await write(store, bo, { add: [fact(bo, 'Bo stays')] });
      await store.memory.jobs.notice(notice(ann, thread), 1, wait);
      assert.deepEqual(await store.memory.erase(ann, [key], AT + 5), { facts: 2 });
      const left = JSON.stringify(await Promise.all([ann, group].map((subject) => store.memory.read(subject))));
      assert.doesNotMatch(left, /CANARY/);
      assert.equal((await store.memory.read(ann)).erasedAt, AT + 5);
      await assertTold(ann, bo, group);
      assert.deepEqual([await contents(group), await contents(bo)], [['2 Of others'], ['1 Bo stays']]);
      assert.equal(await store.memory.jobs.claim('h', 1_000, 2_000), null);
    });

    test('who becomes one with another brings all along, once; who wanted to be forgotten stays forgotten', async () => {
      const { store } = pair();
      const [ann, other] = [somebody(), somebody()];
      const thread = await newThread(store);
      await write(store, ann, { add: [fact(ann, 'same'), fact(ann, 'mine')], summaries: { work: 'mine' } });
      await write(store, other, {
        ...{ add: [fact(other, 'SAME'), fact(other, 'theirs')], summaries: { work: 'theirs', recent: 'theirs' } },
        ...{ erasedAt: AT, forgotten: { x: 3 } },
      });
      await store.memory.jobs.notice(notice(other, thread), 1, wait);
      const running = await store.memory.jobs.claim('h', 100, 9_000);
      await store.memory.adopt(other, ann, AT);
      const book = await store.memory.read(ann);
      assert.deepEqual(await contents(ann), ['1 same', '2 mine', '3 theirs']);
      assert.deepEqual(
        [book.summaries, book.erasedAt, book.forgotten],
        [{ work: 'mine', recent: 'theirs' }, AT, { x: 3 }],
      );
      assert.deepEqual((await store.memory.read(other)).facts, []);
      await assertTold(ann, other);
      assert.ok(running !== null);
      assert.equal(await store.memory.jobs.end({ job: running, readTo: 1, nextAt: null, attempts: 0 }, 200), false);
      assert.equal((await store.memory.jobs.claim('h2', 200, 300))?.subject, ann);
    });

    test('learning, erasing, linking and parting at once lock nobody out and leave nothing behind', async () => {
      const { store } = pair();
      const people = [newPersonId(), newPersonId(), newPersonId()] as const;
      const group = chatSubject(somewhere());
      const thread = await newThread(store);
      const subjects = people.map(personSubject);
      const key = someUser();
      const { memory } = store;
      const one = async (n: number): Promise<unknown> => {
        const [former = group, next = group] = [subjects[n % 3], subjects[(n + 1) % 3]];
        await memory.jobs.notice(notice(group, thread), n, wait);
        switch (n % 5) {
          case 0:
            return memory.erase(former, [key], AT);
          case 1:
            return memory.adopt(former, next, AT);
          case 2:
            return memory.release(key, people[n % 3] ?? people[0], people[(n + 1) % 3] ?? people[0], AT);
          default: {
            const job = await memory.jobs.claim(`mixed ${n}`, 1_000_000 + n, 1_000_001 + n);
            const end = job === null ? undefined : { job, readTo: n, nextAt: null, attempts: 0 };
            const add = (subject: MemorySubject) => ({ add: [fact(subject, `told ${n}`, { saidBy: key })] });
            return memory.change(
              [group, former, next],
              AT,
              () => new Map([group, former].map((to) => [to, add(to)])),
              end,
            );
          }
        }
      };
      await Promise.all(Array.from({ length: 60 }, (_, n) => one(n)));
      await assertTold(...subjects, group);
      for (const subject of subjects) await store.memory.erase(subject, [key], AT);
      for (const subject of [...subjects, group]) assert.deepEqual((await store.memory.read(subject)).facts, []);
      await assertTold(...subjects, group);
    });

    test('who is split off takes along what they said', async () => {
      const { store } = pair();
      const [one, two] = [newPersonId(), newPersonId()];
      const [ann, next] = [personSubject(one), personSubject(two)];
      const [stays, goes] = [someUser(), someUser()];
      const threads = [await newThread(store), await newThread(store)] as const;
      await write(store, ann, {
        add: [fact(ann, 'stays', { saidBy: stays }), fact(ann, 'goes', { saidBy: goes }), fact(ann, 'imported')],
        summaries: { work: 'of both' },
        isOff: true,
      });
      await store.memory.jobs.notice(notice(ann, threads[0], stays), 1, wait);
      await store.memory.jobs.notice(notice(ann, threads[1], goes), 1, wait);
      await store.memory.release(goes, one, two, AT);
      assert.deepEqual([await contents(ann), await contents(next)], [['1 stays', '3 imported'], ['1 goes']]);
      const book = await store.memory.read(next);
      await write(store, ann, { isOff: false });
      await write(store, next, { isOff: false });
      await assertTold(ann, next);
      assert.deepEqual([book.summaries, book.isOff, (await store.memory.read(ann)).summaries], [{}, true, {}]);
      const jobs = [await store.memory.jobs.claim('a', 100, 200), await store.memory.jobs.claim('b', 100, 200)];
      assert.deepEqual(
        new Set(jobs.map((job) => `${job?.subject} ${job?.thread}`)),
        new Set([`${ann} ${threads[0]}`, `${next} ${threads[1]}`]),
      );
    });
  });
}

/** In a process of its own: five writers, each of three facts of its own and of the same three, and a count of changes. */
function writeInProcess(place: StorePlace, subject: MemorySubject, number: number): Promise<string> {
  return outputOfProgram(`
    const { openStore } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)});
    const { silentLogger } = await import(${JSON.stringify(new URL('../../base/logger.ts', import.meta.url).href)});
    const { memory, close } = await openStore({ ...${JSON.stringify(place)}, log: silentLogger });
    const subject = ${JSON.stringify(subject)};
    const template = ${JSON.stringify(fact(subject, ''))};
    await Promise.all([0, 1, 2, 3, 4].map(async (writer) => {
      for (let n = 0; n < 3; n++)
        await memory.change([subject], ${AT}, (books) => {
          const add = ['own ${number}-' + writer + '-' + n, 'shared ' + n].map((content) => ({
            ...template, id: [process.pid, writer, n, content].join(' '), content, hash: content,
          }));
          const count = Number(books.get(subject).summaries.recent ?? 0) + 1;
          return new Map([[subject, { add, summaries: { recent: String(count) } }]]);
        });
    }));
    await close();`);
}
