import { sql } from 'kysely';
import { AntlerError } from '../base/errors.ts';
import type { RunId, ThreadId } from '../base/ids.ts';
import type { LogEntry } from '../harness/log.ts';
import { untilUncontended } from './conflict.ts';
import type { ThreadLog } from './port.ts';
import type { Database } from './schema.ts';

/** Rows of one INSERT. A run writes a handful of entries; SQLite takes 32,766 values in one statement. */
const rowsPerInsert = 500;
const firstPosition = 1;

/** The threads' entries, each at its position in its thread. */
export function threadLog(db: Database): ThreadLog {
  return {
    async append(thread, run, written) {
      for (let start = 0; start < written.length; start += rowsPerInsert)
        await insert(db, thread, run, written.slice(start, start + rowsPerInsert));
    },

    async read(thread, limit, last = null) {
      if (limit !== undefined) {
        const rows = await newestCommitted(db, thread, limit, last).execute();
        const complete = rows.length === limit || rows.at(-1)?.position === firstPosition;
        if (complete) return entriesOf(rows).reverse();
      }
      const all = entriesOf(await committed(db, thread, last).orderBy('log_entries.position').execute());
      return limit === undefined || all.length <= limit ? all : all.slice(all.length - limit);
    },

    async since(thread, after, limit) {
      const rows =
        after === null
          ? (await newestCommitted(db, thread, limit).execute()).reverse()
          : await committed(db, thread, null)
              .where('log_entries.position', '>', after)
              .orderBy('log_entries.position')
              .limit(limit)
              .execute();
      return rows.map(({ position, body }) => ({ position: Number(position), entry: JSON.parse(body) as LogEntry }));
    },

    async ofRun(thread, run) {
      const rows = await db
        .selectFrom('log_entries')
        .select('body')
        .where('thread', '=', thread)
        .where('run', '=', run)
        .orderBy('position')
        .execute();
      return entriesOf(rows);
    },
  };
}

/**
 * The newest committed entries, newest first, as far as they lie near the log's end; abandoned runs may hide some. The
 * floor under the positions makes it cost the same on any thread, also where PostgreSQL believes the thread to be so
 * short (no statistics yet, one long thread among many) that reading all of it seems best.
 */
export function newestCommitted(db: Database, thread: ThreadId, limit: number, last: RunId | null = null) {
  const window = 2 * limit + 50;
  return committed(db, thread, last)
    .where('log_entries.position', '>', (eb) =>
      eb
        .selectFrom('log_entries as tail')
        .select(sql<number>`coalesce(max(tail.position), 0) - ${sql.lit(window)}`.as('floor'))
        .where('tail.thread', '=', thread),
    )
    .orderBy('log_entries.position', 'desc')
    .limit(limit);
}

function committed(db: Database, thread: ThreadId, last: RunId | null) {
  return db
    .selectFrom('log_entries')
    .innerJoin('runs', 'runs.id', 'log_entries.run')
    .select(['log_entries.position', 'log_entries.body'])
    .where('log_entries.thread', '=', thread)
    .where((eb) => {
      const settled = eb('runs.status', '=', 'committed');
      return last === null ? settled : eb.or([settled, eb('runs.id', '=', last)]);
    });
}

const entriesOf = (rows: readonly { readonly body: string }[]): LogEntry[] =>
  rows.map((row) => JSON.parse(row.body) as LogEntry);

/** One INSERT, its rows numbered on from the last one. */
async function insert(db: Database, thread: ThreadId, run: RunId, written: readonly LogEntry[]): Promise<void> {
  const query = db.insertInto('log_entries').values((eb) =>
    written.map((entry, index) => ({
      thread,
      position: eb
        .selectFrom('log_entries as former')
        .select(sql<number>`coalesce(max(former.position), 0) + ${sql.lit(firstPosition + index)}`.as('next'))
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
