import type { RunId, ThreadId } from '../../base/ids.ts';
import type { Alone, CrashRecord } from '../company.ts';
import type { ThreadState } from '../port.ts';
import type { Journal } from './journal.ts';

/** The place that a thread's turns are counted for. */
export interface Owner {
  readonly channel: string;
  readonly chat: string;
  readonly user: string;
}

/** The state that a thread was left in; `fenced`: the run is not the thread's any more, nothing was written. */
export type Left = 'idle' | 'queued' | 'delayed' | 'fenced';

export interface Thread extends Owner, CrashRecord {
  readonly state: ThreadState['state'];
  /** Of the newest input ever. */
  readonly seq: number;
  /** Inputs in the inbox. */
  readonly waiting: number;
  /** Of the newest input that a run was handed. */
  readonly taken: number;
  /** Raised with every run; a write of a run names its own. */
  readonly fence: number;
  /** What the run does that is alone in the process; null for others. */
  readonly alone: Alone | null;
  readonly due: number;
  readonly error: string | null;
  readonly last_commit: RunId | null;
  readonly last_result: Left | null;
}

/** What is known of every thread. Those that are not idle are kept in memory. */
export interface ThreadTable {
  find(thread: ThreadId): Thread | undefined;
  /** A step. */
  save(thread: ThreadId, row: Thread): void;
  /**
   * A step: the same when nothing has changed but that inputs were added. It writes nothing, since the inbox itself
   * tells how many there are and how far they are counted.
   */
  grown(thread: ThreadId, row: Thread): void;
  /** Those that are not idle. */
  active(): Iterable<readonly [ThreadId, Thread]>;
  /**
   * A step, at the start: what ran when the last process ended is queued again, one attempt poorer. What was alone then
   * goes behind all others, that may be as suspect.
   */
  recover(now: number): void;
}

const columns = `chat, channel, user, state, seq, waiting, taken, fence, attempt, due, error, last_commit, last_result,
  excused, guilty, alone`;

export function createThreadTable(journal: Journal): ThreadTable {
  const select = journal.prepare<Thread>(`SELECT ${columns} FROM thread WHERE id = ?`);
  const selectActive = journal.prepare<Thread & { id: ThreadId }>(
    `SELECT id, ${columns} FROM thread WHERE state <> 'idle'`,
  );
  const inbox = journal.prepare<{ waiting: number; newest: number | null }>(
    'SELECT count(*) AS waiting, max(seq) AS newest FROM input WHERE thread = ?',
  );
  const insert = journal.prepare(
    `INSERT INTO thread(${columns}, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = journal.prepare(
    `UPDATE thread SET chat = ?, channel = ?, user = ?, state = ?, seq = ?, waiting = ?, taken = ?, fence = ?,
       attempt = ?, due = ?, error = ?, last_commit = ?, last_result = ?, excused = ?, guilty = ?, alone = ? WHERE id = ?`,
  );
  const begin = journal.prepare('UPDATE thread SET state = ?, taken = ?, fence = ?, due = ?, alone = ? WHERE id = ?');
  const requeue = journal.prepare(
    `UPDATE thread SET state = 'queued', attempt = attempt + 1,
       excused = iif(alone IS NULL, excused + 1, 0), guilty = coalesce(alone, guilty), alone = NULL,
       due = iif(alone IS NULL, due, ?),
       error = 'The process ended while it worked on this turn.' WHERE state = 'running'`,
  );

  const busy = new Map<ThreadId, Thread>();
  let loaded = false;

  /** An inbox may hold more than its thread's row tells. */
  const counted = (thread: ThreadId, row: Thread): Thread => {
    const { waiting, newest } = inbox.get(thread) ?? { waiting: 0, newest: null };
    return { ...row, waiting, seq: Math.max(row.seq, newest ?? 0) };
  };
  const active = (): Map<ThreadId, Thread> => {
    if (!loaded) for (const { id, ...row } of selectActive.all()) busy.set(id, counted(id, row));
    loaded = true;
    return busy;
  };
  const forget = (): void => {
    busy.clear();
    loaded = false;
  };
  const find = (thread: ThreadId): Thread | undefined => active().get(thread) ?? select.get(thread);
  const keep = (thread: ThreadId, row: Thread): void => {
    if (row.state === 'idle') busy.delete(thread);
    else busy.set(thread, row);
  };
  journal.onUndone(forget);

  return {
    find,
    save: (thread, row) => {
      const before = find(thread);
      if (before?.state !== 'running' && row.state === 'running')
        begin.run(row.state, row.taken, row.fence, row.due, row.alone, thread);
      else {
        const { chat, channel, user, state, seq, waiting, taken, fence, attempt, due, error } = row;
        const values = [chat, channel, user, state, seq, waiting, taken, fence, attempt, due, error] as const;
        const all = [...values, row.last_commit, row.last_result, row.excused, row.guilty, row.alone, thread];
        (before === undefined ? insert : update).run(...all);
      }
      keep(thread, row);
    },
    grown: keep,
    active,
    recover: (now) => {
      requeue.run(now);
      forget();
    },
  };
}
