import { sql } from 'kysely';
import { AntlerError } from '../base/errors.ts';
import type { RunId, ThreadId } from '../base/ids.ts';
import type { LogEntry } from '../harness/log.ts';
import { untilUncontended } from './conflict.ts';
import type { ThreadLog } from './port.ts';
import type { Database } from './schema.ts';

/** Rows of one INSERT. A run writes a handful of entries; SQLite takes 32,766 values in one statement. */
const rowsPerInsert = 500;

/** The threads' entries, each at its position in its thread. */
export function threadLog(db: Database): ThreadLog {
  return {
    async append(thread, run, written) {
      for (let start = 0; start < written.length; start += rowsPerInsert)
        await insert(db, thread, run, written.slice(start, start + rowsPerInsert));
    },

    async read(thread, limit) {
      if (limit === undefined)
        return entries(await committedEntries(db, thread).orderBy('log_entries.position').execute());
      return entries(await newestCommitted(db, thread, limit).execute()).reverse();
    },
  };
}

/** Walks the log from its end, so that it costs as much on a long thread as on a short one. */
export function newestCommitted(db: Database, thread: ThreadId, limit: number) {
  return committedEntries(db, thread).orderBy('log_entries.position', 'desc').limit(limit);
}

function committedEntries(db: Database, thread: ThreadId) {
  return db
    .selectFrom('log_entries')
    .innerJoin('runs', 'runs.id', 'log_entries.run')
    .select('log_entries.body')
    .where('log_entries.thread', '=', thread)
    .where('runs.status', '=', 'committed');
}

const entries = (rows: readonly { readonly body: string }[]): LogEntry[] =>
  rows.map((row) => JSON.parse(row.body) as LogEntry);

/** One INSERT, its rows numbered on from the last one. */
async function insert(db: Database, thread: ThreadId, run: RunId, written: readonly LogEntry[]): Promise<void> {
  const query = db.insertInto('log_entries').values((eb) =>
    written.map((entry, index) => ({
      thread,
      position: eb
        .selectFrom('log_entries as former')
        .select(sql<number>`coalesce(max(former.position), 0) + ${sql.lit(index + 1)}`.as('next'))
        .where('former.thread', '=', thread),
      run,
      kind: entry.kind,
      body: JSON.stringify(entry),
    })),
  );
  await untilUncontended(async () => {
    try {
      await query.execute();
      return true;
    } catch (error) {
      // Two runs of one thread at once: one of them has lost its lease and does not know it yet.
      if (error instanceof AntlerError && error.code === 'conflict') return undefined;
      throw error;
    }
  });
}
