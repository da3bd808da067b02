import type { ThreadId } from '../../base/ids.ts';
import type { BusyPolicy } from '../../channel/busy.ts';
import type { TurnInput } from '../port.ts';
import type { Patience, Patient } from '../quiet.ts';
import type { Journal } from './journal.ts';

/** An input to be stored; `payload` is JSON. */
export interface StoredInput extends Patience {
  readonly seq: number;
  readonly payload: string;
  readonly at: number;
  readonly user: string;
  readonly busy: BusyPolicy;
  /** Null: it cannot be taken back or changed. */
  readonly key: string | null;
}

/** An input that waits in its thread's inbox. */
export interface WaitingInput extends Patient {
  readonly seq: number;
  readonly payload: string;
  readonly at: number;
  readonly user: string;
}

/** What waits in the inboxes; every method is a step for {@link Journal.write}, or reads. */
export interface InputTable {
  append(thread: ThreadId, input: StoredInput): void;
  /**
   * Those after `after`, oldest first; `taken` is the newest input that a run was handed. Read lazily: whoever stops
   * early pays for no more, and nothing else of this table may be read meanwhile.
   */
  waiting(thread: ThreadId, taken: number, after?: number): Iterable<WaitingInput>;
  /** The number of the input with this key. */
  find(thread: ThreadId, key: string): number | null;
  amend(thread: ThreadId, seq: number, payload: string): void;
  remove(thread: ThreadId, seq: number): void;
  /** Removes all up to `upTo`; answers how many there were. */
  removeUpTo(thread: ThreadId, upTo: number): number;
}

interface Row {
  readonly seq: number;
  readonly payload: string;
  readonly at: number;
  readonly user: string;
  readonly busy: BusyPolicy;
  readonly came: number;
  readonly fresh: number;
  readonly wait_ms: number;
  readonly most_ms: number;
}

export const turnInputOf = ({ seq, payload, at }: WaitingInput): TurnInput => ({
  seq,
  payload: JSON.parse(payload),
  at,
});

export function createInputTable(journal: Journal): InputTable {
  const insert = journal.prepare(
    `INSERT INTO input(thread, seq, payload, at, key, user, busy, came, fresh, wait_ms, most_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = journal.prepare<Row>(
    `SELECT seq, payload, at, user, busy, came, fresh, wait_ms, most_ms
     FROM input WHERE thread = ? AND seq > ? ORDER BY seq`,
  );
  const find = journal.prepare<{ seq: number }>('SELECT seq FROM input WHERE thread = ? AND key = ?');
  const amend = journal.prepare('UPDATE input SET payload = ? WHERE thread = ? AND seq = ?');
  const remove = journal.prepare('DELETE FROM input WHERE thread = ? AND seq = ?');
  const removeUpTo = journal.prepare('DELETE FROM input WHERE thread = ? AND seq <= ?');
  const whole = (ms: number): number => Math.ceil(Math.min(ms, Number.MAX_SAFE_INTEGER));

  return {
    append: (thread, { seq, payload, at, key, user, busy, cameAt, fresh, waitMs, mostMs }) => {
      const patience = [cameAt, fresh ? 1 : 0, whole(waitMs), whole(mostMs)] as const;
      insert.run(thread, seq, payload, Math.trunc(at), key, user, busy, ...patience);
    },
    waiting: function* (thread, taken, after = 0) {
      for (const row of select.iterate(thread, after))
        yield {
          seq: row.seq,
          payload: row.payload,
          at: row.at,
          user: row.user,
          busy: row.busy,
          tried: row.seq <= taken,
          cameAt: row.came,
          fresh: row.fresh === 1,
          waitMs: row.wait_ms,
          mostMs: row.most_ms,
        };
    },
    find: (thread, key) => find.get(thread, key)?.seq ?? null,
    amend: (thread, seq, payload) => {
      amend.run(payload, thread, seq);
    },
    remove: (thread, seq) => {
      remove.run(thread, seq);
    },
    removeUpTo: (thread, upTo) => removeUpTo.run(thread, upTo),
  };
}
