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
  /** `empty`: nothing waits in the inbox yet. */
  append(thread: ThreadId, input: StoredInput, empty: boolean): void;
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
  /** Removes all behind `after`; answers how many there were. */
  removeAfter(thread: ThreadId, after: number): number;
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

/** What is kept of the inboxes in memory, in characters of payload. What is more is read from the file. */
const MOST_KEPT = 8 * 1024 * 1024;

/** The inboxes that are known to their last input. */
function createKeptInboxes() {
  const inboxes = new Map<ThreadId, StoredInput[]>();
  let size = 0;
  const drop = (thread: ThreadId): void => {
    for (const { payload } of inboxes.get(thread) ?? []) size -= payload.length;
    inboxes.delete(thread);
  };
  return {
    get: (thread: ThreadId): readonly StoredInput[] | undefined => inboxes.get(thread),
    append: (thread: ThreadId, input: StoredInput, empty: boolean): void => {
      const inbox = empty ? [] : inboxes.get(thread);
      if (inbox === undefined) return;
      inbox.push(input);
      inboxes.set(thread, inbox);
      size += input.payload.length;
      if (size > MOST_KEPT) drop(thread);
    },
    change: (thread: ThreadId, change: (inbox: readonly StoredInput[]) => StoredInput[]): void => {
      const inbox = inboxes.get(thread);
      if (inbox === undefined) return;
      drop(thread);
      const after = change(inbox);
      for (const { payload } of after) size += payload.length;
      if (after.length > 0) inboxes.set(thread, after);
    },
    clear: (): void => {
      inboxes.clear();
      size = 0;
    },
  };
}

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
  const removeAfter = journal.prepare('DELETE FROM input WHERE thread = ? AND seq > ?');
  const whole = (ms: number): number => Math.ceil(Math.min(ms, Number.MAX_SAFE_INTEGER));

  const kept = createKeptInboxes();
  journal.onUndone(kept.clear);

  return {
    append: (thread, input, empty) => {
      const { seq, payload, key, user, busy, cameAt, fresh } = input;
      const [at, waitMs, mostMs] = [Math.trunc(input.at), whole(input.waitMs), whole(input.mostMs)];
      insert.run(thread, seq, payload, at, key, user, busy, cameAt, fresh ? 1 : 0, waitMs, mostMs);
      kept.append(thread, { seq, payload, at, key, user, busy, cameAt, fresh, waitMs, mostMs }, empty);
    },
    waiting: function* (thread, taken, after = 0) {
      const known = kept.get(thread);
      if (known !== undefined) {
        for (const input of known) if (input.seq > after) yield { ...input, tried: input.seq <= taken };
        return;
      }
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
      kept.change(thread, (inbox) => inbox.map((input) => (input.seq === seq ? { ...input, payload } : input)));
    },
    remove: (thread, seq) => {
      remove.run(thread, seq);
      kept.change(thread, (inbox) => inbox.filter((input) => input.seq !== seq));
    },
    removeUpTo: (thread, upTo) => {
      kept.change(thread, (inbox) => inbox.filter((input) => input.seq > upTo));
      return removeUpTo.run(thread, upTo);
    },
    removeAfter: (thread, after) => {
      kept.change(thread, (inbox) => inbox.filter((input) => input.seq <= after));
      return removeAfter.run(thread, after);
    },
  };
}
