import type { MemorySubject } from '../../base/ids.ts';
import { untilUncontended } from '../conflict.ts';
import type { Database } from '../schema.ts';
import { holdSubject, readBook, writeChange } from './books.ts';
import { endJob, memoryJobs } from './jobs.ts';
import { adopt, erase, release } from './owners.ts';
import type { Book, Memories } from './port.ts';
import { knownOf, retell } from './told.ts';

/** What is remembered about people and chats. */
export function memories(db: Database): Memories {
  return {
    jobs: memoryJobs(db),
    read: (subject) => readBook(db, subject),
    known: (asked, at) => knownOf(db, asked, at),

    async change(subjects, at, decide, end) {
      return db.transaction().execute(async (transaction) => {
        const books = new Map<
          MemorySubject,
          { readonly held: Awaited<ReturnType<typeof holdSubject>>; readonly book: Book }
        >();
        // In one order everywhere, so that writers wait for each other instead of locking each other out.
        for (const subject of [...new Set(subjects)].toSorted()) {
          const held = await holdSubject(transaction, subject, at);
          books.set(subject, { held, book: await readBook(transaction, subject, held) });
        }
        // Behind the subjects, as whoever moves or erases them touches their jobs.
        if (end !== undefined && !(await endJob(transaction, end, at))) return false;
        const changes = decide(new Map([...books].map(([subject, { book }]) => [subject, book])));
        for (const [subject, change] of changes) {
          const known = books.get(subject);
          if (known === undefined || Object.keys(change).length === 0) continue;
          await writeChange(transaction, subject, known.held, change, at);
          await retell(transaction, subject);
        }
        return true;
      });
    },

    erase: (subject, users, at) =>
      untilUncontended(() => db.transaction().execute((transaction) => erase(transaction, subject, users, at))),
    adopt: (from, into, at) => db.transaction().execute((transaction) => adopt(transaction, from, into, at)),
    release: (user, from, to, at) =>
      db.transaction().execute((transaction) => release(transaction, user, from, to, at)),
  };
}
