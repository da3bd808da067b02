import type { RunId, ThreadId } from '../../base/ids.ts';
import type { BusStats, NewInput, Published, ThreadState, TurnInput } from '../port.ts';
import type { Journal } from './journal.ts';

/** A turn that was taken; `fence` guards every write of its run. */
export interface Claimed {
  readonly fence: number;
  readonly chat: string;
  readonly inputs: readonly TurnInput[];
  readonly attempt: number;
  /** The attempts are used up. Then `inputs` are only those that were tried, not what has come since. */
  readonly doomed: boolean;
  readonly lastCommit: RunId | null;
  /** Why the last attempt failed, if it did. */
  readonly error: string | null;
}

/** The state that a thread was left in; `fenced`: the run is not the thread's any more, nothing was written. */
export type Left = 'idle' | 'queued' | 'delayed' | 'fenced';

export interface Waiting {
  readonly thread: ThreadId;
  readonly chat: string;
  readonly due: number;
}

/**
 * Threads and what waits in them. Everything here is a step for {@link Journal.write}, or reads.
 *
 *     idle ─publish→ queued ─claim→ running ─commit, bury→ queued | idle
 *                                   running ─release→ queued
 *                                   running ─fail→ delayed (queued when something new waits)
 *                                   delayed ─publish→ queued      delayed ─due, claim→ running
 */
export interface Inbox {
  /** `woke`: the thread is queued now and was not before. */
  publish(input: NewInput, payload: string, now: number): { readonly answer: Published; readonly woke: boolean };
  /** Appends inputs that were taken out before, whatever the bound. True when the thread is queued by it. */
  putBack(thread: ThreadId, chat: string, inputs: readonly TurnInput[], now: number): boolean;
  /** Null when the thread does not wait for a run. */
  claim(thread: ThreadId, maxAttempts: number, now: number): Claimed | null;
  /** Committing the same run again answers what it was answered first; `first` tells whether effects are due. */
  commit(thread: ThreadId, fence: number, commit: RunId, ackSeq: number, now: number): { left: Left; first: boolean };
  fail(thread: ThreadId, fence: number, error: string, due: number, now: number): Left;
  release(thread: ThreadId, fence: number, now: number): Left;
  /** Takes out the inputs that the run was handed, given up. */
  bury(thread: ThreadId, fence: number, now: number): Left;
  state(thread: ThreadId): ThreadState;
  counts(): Pick<BusStats, 'queuedThreads' | 'runningThreads' | 'waitingInputs'>;
  /** After a start: what ran when the last process ended is queued again, one attempt poorer. */
  recover(): void;
  /** All threads that wait for a run, the longest waiting first. `due` lies ahead for those that wait for a retry. */
  waiting(): Waiting[];
}

interface ThreadRow {
  readonly chat: string;
  readonly state: ThreadState['state'];
  readonly seq: number;
  readonly waiting: number;
  readonly taken: number;
  readonly fence: number;
  readonly attempt: number;
  readonly error: string | null;
  readonly last_commit: RunId | null;
  readonly last_result: Left | null;
}

interface InputRow {
  readonly seq: number;
  readonly payload: string;
  readonly at: number;
}

export function createInbox(journal: Journal, maxInbox: number): Inbox {
  const find = journal.prepare<ThreadRow>(
    `SELECT chat, state, seq, waiting, taken, fence, attempt, error, last_commit, last_result FROM thread WHERE id = ?`,
  );
  const remember = journal.prepare('INSERT OR IGNORE INTO seen(key, at) VALUES (?, ?)');
  const isKnown = journal.prepare<{ known: 1 }>('SELECT 1 AS known FROM seen WHERE key = ?');
  const append = journal.prepare('INSERT INTO input(thread, seq, payload, at) VALUES (?, ?, ?, ?)');
  const grow = journal.prepare<{ seq: number }>(
    `INSERT INTO thread(id, chat, state, seq, waiting, taken, fence, attempt, due)
     VALUES (:id, :chat, 'queued', 1, 1, 0, 0, 0, :now)
     ON CONFLICT(id) DO UPDATE SET chat = excluded.chat, seq = seq + 1, waiting = waiting + 1,
       due = CASE state WHEN 'running' THEN due WHEN 'queued' THEN due ELSE excluded.due END,
       state = CASE state WHEN 'running' THEN state ELSE 'queued' END
     RETURNING seq`,
  );
  const take = journal.prepare(
    `UPDATE thread SET state = 'running', fence = fence + 1, due = :now,
       taken = CASE WHEN attempt >= :max THEN taken ELSE seq END
     WHERE id = :id AND state IN ('queued', 'delayed')`,
  );
  const inputs = journal.prepare<InputRow>(
    'SELECT seq, payload, at FROM input WHERE thread = ? AND seq <= ? ORDER BY seq',
  );
  const drop = journal.prepare('DELETE FROM input WHERE thread = ? AND seq <= ?');
  const leave = journal.prepare(
    `UPDATE thread SET state = ?, waiting = waiting - ?, attempt = ?, error = ?, due = ?, last_commit = ?,
       last_result = ? WHERE id = ?`,
  );
  const count = journal.prepare<{ state: string; threads: number; inputs: number }>(
    `SELECT state, count(*) AS threads, sum(waiting) AS inputs FROM thread WHERE state <> 'idle' GROUP BY state`,
  );
  const requeue = journal.prepare(
    `UPDATE thread SET state = 'queued', attempt = attempt + 1,
       error = 'The process ended while it worked on this turn.' WHERE state = 'running'`,
  );
  const listWaiting = journal.prepare<{ thread: ThreadId; chat: string; state: string; due: number }>(
    `SELECT id AS thread, chat, state, due FROM thread WHERE state IN ('queued', 'delayed') ORDER BY due`,
  );

  /** The thread, if the run still has it. */
  const held = (thread: ThreadId, fence: number): ThreadRow | undefined => {
    const row = find.get(thread);
    return row?.state === 'running' && row.fence === fence ? row : undefined;
  };

  const add = (thread: ThreadId, chat: string, payload: string, at: number, now: number): number => {
    const seq = grow.get({ id: thread, chat, now })?.seq ?? 0;
    append.run(thread, seq, payload, Math.trunc(at));
    return seq;
  };

  /** Takes inputs out and lets the thread go on to what is left. */
  const acknowledge = (thread: ThreadId, row: ThreadRow, upTo: number, commit: RunId | null, now: number): Left => {
    const dropped = drop.run(thread, Math.min(upTo, row.taken));
    const left = row.waiting > dropped ? 'queued' : 'idle';
    const result = commit === null ? row.last_result : left;
    leave.run(left, dropped, 0, null, now, commit ?? row.last_commit, result, thread);
    return left;
  };

  return {
    publish: (input, payload, now) => {
      const row = find.get(input.thread);
      // A message that was taken before is a duplicate, also while the inbox is full.
      if (isKnown.get(input.dedupeKey) !== undefined) return { answer: { status: 'duplicate' }, woke: false };
      if ((row?.waiting ?? 0) >= maxInbox) return { answer: { status: 'full' }, woke: false };
      remember.run(input.dedupeKey, now);
      const seq = add(input.thread, input.chat, payload, input.at, now);
      const before = row?.state ?? 'idle';
      return {
        answer: { status: 'accepted', seq, state: before === 'delayed' ? 'queued' : before },
        woke: before === 'idle' || before === 'delayed',
      };
    },
    putBack: (thread, chat, again, now) => {
      const before = find.get(thread)?.state ?? 'idle';
      for (const input of again) add(thread, chat, JSON.stringify(input.payload) ?? 'null', input.at, now);
      return before === 'idle' || before === 'delayed';
    },
    claim: (thread, maxAttempts, now) => {
      if (take.run({ id: thread, max: maxAttempts, now }) === 0) return null;
      const row = find.get(thread);
      if (row === undefined) return null;
      return {
        fence: row.fence,
        chat: row.chat,
        inputs: inputs
          .all(thread, row.taken)
          .map(({ seq, payload, at }) => ({ seq, payload: JSON.parse(payload), at })),
        attempt: row.attempt,
        doomed: row.attempt >= maxAttempts,
        lastCommit: row.last_commit,
        error: row.error,
      };
    },
    commit: (thread, fence, commit, ackSeq, now) => {
      const row = held(thread, fence);
      if (row !== undefined) return { left: acknowledge(thread, row, ackSeq, commit, now), first: true };
      const applied = find.get(thread);
      const same = applied?.last_commit === commit;
      return { left: same ? (applied.last_result ?? 'idle') : 'fenced', first: false };
    },
    fail: (thread, fence, error, due, now) => {
      const row = held(thread, fence);
      if (row === undefined) return 'fenced';
      const left = row.seq > row.taken || due <= now ? 'queued' : 'delayed';
      const next = left === 'delayed' ? due : now;
      leave.run(left, 0, row.attempt + 1, error, next, row.last_commit, row.last_result, thread);
      return left;
    },
    release: (thread, fence, now) => {
      const row = held(thread, fence);
      if (row === undefined) return 'fenced';
      leave.run('queued', 0, row.attempt, row.error, now, row.last_commit, row.last_result, thread);
      return 'queued';
    },
    bury: (thread, fence, now) => {
      const row = held(thread, fence);
      return row === undefined ? 'fenced' : acknowledge(thread, row, row.taken, null, now);
    },
    state: (thread) => {
      const row = find.get(thread);
      return { state: row?.state ?? 'idle', waiting: row?.waiting ?? 0 };
    },
    counts: () => {
      const rows = count.all();
      const threads = new Map(rows.map((row) => [row.state, row.threads]));
      return {
        queuedThreads: (threads.get('queued') ?? 0) + (threads.get('delayed') ?? 0),
        runningThreads: threads.get('running') ?? 0,
        waitingInputs: rows.reduce((sum, row) => sum + row.inputs, 0),
      };
    },
    recover: () => {
      requeue.run();
    },
    waiting: () => listWaiting.all().map(({ thread, chat, due }) => ({ thread, chat, due })),
  };
}
