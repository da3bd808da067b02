import type { RateLimit } from '../../channel/port.ts';
import type { NewDelivery } from '../port.ts';
import { countsForMs, type Windows } from '../window.ts';
import type { DeadLetterTable } from './dead-letters.ts';
import type { Journal } from './journal.ts';

/** The delivery at the head of its chat. */
export interface Head {
  readonly n: number;
  readonly delivery: NewDelivery;
  readonly attempt: number;
  readonly due: number;
  readonly enqueuedAt: number;
}

export interface Stream {
  /** Ids of the messages that the stream has shown, by part. */
  readonly shown: readonly string[];
  /** Its final part was enqueued. */
  readonly ended: boolean;
}

/** What became of a delivery that may have been sent. */
export type Doubted = 'waits' | 'aside';

/** What waits to go out; every method is a step for {@link Journal.write}, or reads. */
export interface DeliveryTable {
  /** False when the id is known already. */
  add(delivery: NewDelivery, now: number): boolean;
  /** Back into its chat, whether its id is known or not. */
  putBack(delivery: NewDelivery, now: number): void;
  first(channel: string, chat: string): Head | null;
  /** Marks it as under way: should the process end now, its outcome is uncertain. */
  take(head: Head, now: number): void;
  sent(head: Head): void;
  retry(head: Head, due: number): void;
  /** It may have been sent: again from `due` on while it is young enough, else to the dead letters. */
  doubt(head: Head, error: string, due: number, now: number): Doubted;
  pause(scope: string, until: number): void;
  /** It never will be sent. */
  bury(head: Head, error: string, now: number): void;
  stream(id: string): Stream;
  show(stream: string, shown: readonly string[], now: number): void;
  pending(channel: string, chat: string): number;
  count(): number;
  /** After a start: what was under way when the last process ended may have been sent. Returns what was set aside. */
  recover(now: number): readonly NewDelivery[];
  /** Every chat that something waits for, the longest waiting first. */
  chats(): { readonly channel: string; readonly chat: string }[];
  /** Fills the windows and pauses with what still counts. */
  loadLimits(windows: Windows, now: number): void;
}

interface Row {
  readonly n: number;
  readonly body: string;
  readonly attempt: number;
  readonly due: number;
  readonly enqueued_at: number;
}

/** An edit over which the process ends again and again may be what ends it. */
const MOST_EDITS = 5;

const columns = 'n, body, attempt, due, enqueued_at';

const headOf = (row: Row): Head => ({
  n: row.n,
  delivery: JSON.parse(row.body) as NewDelivery,
  attempt: row.attempt,
  due: row.due,
  enqueuedAt: row.enqueued_at,
});

export function createDeliveryTable(journal: Journal, deadLetters: DeadLetterTable): DeliveryTable {
  const learn = journal.prepare('INSERT OR IGNORE INTO known_delivery(id, at) VALUES (?, ?)');
  const insert = journal.prepare(
    `INSERT OR IGNORE INTO delivery(id, channel, chat, body, state, attempt, due, enqueued_at)
     VALUES (?, ?, ?, ?, 'ready', 0, ?, ?)`,
  );
  const first = journal.prepare<Row>(
    `SELECT ${columns} FROM delivery WHERE channel = ? AND chat = ? ORDER BY n LIMIT 1`,
  );
  const mark = journal.prepare(`UPDATE delivery SET state = 'sending' WHERE n = ?`);
  const remove = journal.prepare('DELETE FROM delivery WHERE n = ?');
  const wait = journal.prepare(`UPDATE delivery SET state = 'ready', attempt = attempt + 1, due = ? WHERE n = ?`);
  const underWay = journal.prepare<Row>(`SELECT ${columns} FROM delivery WHERE state = 'sending' ORDER BY n`);
  const chats = journal.prepare<{ channel: string; chat: string }>(
    'SELECT channel, chat FROM delivery GROUP BY channel, chat ORDER BY min(n)',
  );
  const pending = journal.prepare<{ pending: number }>(
    'SELECT count(*) AS pending FROM delivery WHERE channel = ? AND chat = ?',
  );
  const count = journal.prepare<{ pending: number }>('SELECT count(*) AS pending FROM delivery');
  const findStream = journal.prepare<{ shown: string; ended: number }>('SELECT shown, ended FROM stream WHERE id = ?');
  const show = journal.prepare(
    `INSERT INTO stream(id, shown, ended, at) VALUES (?, ?, 0, ?)
     ON CONFLICT(id) DO UPDATE SET shown = excluded.shown, at = excluded.at`,
  );
  const end = journal.prepare(
    `INSERT INTO stream(id, shown, ended, at) VALUES (?, '[]', 1, ?)
     ON CONFLICT(id) DO UPDATE SET ended = 1, at = excluded.at`,
  );
  const reserve = journal.prepare('INSERT INTO reservation(scope, count, window_ms, at, until) VALUES (?, ?, ?, ?, ?)');
  const reservations = journal.prepare<{ scope: string; count: number; window_ms: number; at: number }>(
    'SELECT scope, count, window_ms, at FROM reservation WHERE until > ? ORDER BY at',
  );
  const pause = journal.prepare(
    `INSERT INTO pause(scope, until) VALUES (?, ?)
     ON CONFLICT(scope) DO UPDATE SET until = max(until, excluded.until)`,
  );
  const pauses = journal.prepare<{ scope: string; until: number }>('SELECT scope, until FROM pause WHERE until > ?');

  const store = (delivery: NewDelivery, now: number): void => {
    const { id, channel, target, stream } = delivery;
    insert.run(id, channel, target.chat, JSON.stringify(delivery), now, now);
    if (stream?.last === true) end.run(stream.id, now);
  };

  const bury = (head: Head, kind: 'delivery' | 'uncertain', error: string, now: number): void => {
    if (remove.run(head.n) > 0) deadLetters.addDelivery(kind, head.delivery, error, now);
  };

  const retry = (head: Head, due: number): void => {
    wait.run(due, head.n);
  };

  const doubt = (head: Head, error: string, due: number, now: number): Doubted => {
    const { at, resendForMs } = head.delivery;
    const isResent = resendForMs > 0 && now - at <= resendForMs;
    if (isResent) retry(head, due);
    else bury(head, 'uncertain', error, now);
    return isResent ? 'waits' : 'aside';
  };

  const streamOf = (id: string): Stream => {
    const row = findStream.get(id);
    return row === undefined
      ? { shown: [], ended: false }
      : { shown: JSON.parse(row.shown) as string[], ended: row.ended === 1 };
  };

  /** Does the stream show this part already? Then sending it is an edit, and one that may have been done can be done again. */
  const isEdit = ({ delivery: { stream } }: Head): boolean =>
    stream !== undefined && (streamOf(stream.id).shown[stream.part] ?? '') !== '';

  const recover = (head: Head, now: number): Doubted => {
    if (!isEdit(head) || head.attempt >= MOST_EDITS)
      return doubt(head, 'The process ended while this was being sent.', now, now);
    retry(head, now);
    return 'waits';
  };

  return {
    add: (delivery, now) => {
      if (learn.run(delivery.id, now) === 0) return false;
      store(delivery, now);
      return true;
    },
    putBack: (delivery, now) => {
      learn.run(delivery.id, now);
      store(delivery, now);
    },
    first: (channel, chat) => {
      const row = first.get(channel, chat);
      return row === undefined ? null : headOf(row);
    },
    take: (head, now) => {
      mark.run(head.n);
      for (const limit of head.delivery.limits)
        reserve.run(limit.scope, limit.count, limit.windowMs, now, now + countsForMs(limit));
    },
    sent: (head) => {
      remove.run(head.n);
    },
    retry,
    doubt,
    pause: (scope, until) => {
      pause.run(scope, until);
    },
    bury: (head, error, now) => bury(head, 'delivery', error, now),
    stream: streamOf,
    show: (stream, shown, now) => {
      show.run(stream, JSON.stringify(shown), now);
    },
    pending: (channel, chat) => pending.get(channel, chat)?.pending ?? 0,
    count: () => count.get()?.pending ?? 0,
    recover: (now) => {
      const heads = underWay.all().map(headOf);
      return heads.filter((head) => recover(head, now) === 'aside').map(({ delivery }) => delivery);
    },
    chats: () => chats.all(),
    loadLimits: (windows, now) => {
      for (const row of reservations.all(now)) {
        const limit: RateLimit = { scope: row.scope, count: row.count, windowMs: row.window_ms };
        windows.reserve([limit], row.at);
      }
      for (const row of pauses.all(now)) windows.pause(row.scope, row.until);
    },
  };
}
