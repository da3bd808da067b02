import { randomBytes } from 'node:crypto';
import type { ThreadId } from '../../base/ids.ts';
import type { DeadLetter, NewDelivery, TurnInput } from '../port.ts';
import type { Owner } from './inbox.ts';
import type { Journal } from './journal.ts';

/** What failed for good, as it is kept; every method is a step for {@link Journal.write}, or reads. */
export interface DeadLetterTable {
  addTurn(thread: ThreadId, owner: Owner, inputs: readonly TurnInput[], error: string, now: number): void;
  addDelivery(kind: 'delivery' | 'uncertain', delivery: NewDelivery, error: string, now: number): void;
  /** Newest first. */
  list(limit: number): DeadLetter[];
  get(id: string): DeadLetter | null;
  /** Takes one out. `user`: whom a turn was counted for. */
  take(id: string): { readonly letter: DeadLetter; readonly user: string } | null;
  count(): number;
}

interface Row {
  readonly id: string;
  readonly kind: DeadLetter['kind'];
  readonly at: number;
  readonly error: string;
  readonly thread: ThreadId | null;
  readonly channel: string | null;
  readonly chat: string;
  readonly content: string;
  readonly user: string | null;
}

const columns = 'id, kind, at, error, thread, channel, chat, content, user';

function letterOf(row: Row): DeadLetter {
  return {
    id: row.id,
    kind: row.kind,
    at: row.at,
    error: row.error,
    ...(row.thread === null ? {} : { thread: row.thread }),
    ...(row.channel === null ? {} : { channel: row.channel }),
    chat: row.chat,
    content: JSON.parse(row.content),
  };
}

export function createDeadLetterTable(journal: Journal): DeadLetterTable {
  const insert = journal.prepare(`INSERT INTO dead_letter(${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const newest = journal.prepare<Row>(`SELECT ${columns} FROM dead_letter ORDER BY n DESC LIMIT ?`);
  const find = journal.prepare<Row>(`SELECT ${columns} FROM dead_letter WHERE id = ?`);
  const remove = journal.prepare<Row>(`DELETE FROM dead_letter WHERE id = ? RETURNING ${columns}`);
  const count = journal.prepare<{ letters: number }>('SELECT count(*) AS letters FROM dead_letter');
  const newId = (): string => `d_${randomBytes(12).toString('base64url')}`;
  return {
    addTurn: (thread, { channel, chat, user }, inputs, error, now) => {
      insert.run(newId(), 'turn', now, error, thread, channel, chat, JSON.stringify(inputs), user);
    },
    addDelivery: (kind, delivery, error, now) => {
      const { channel, target } = delivery;
      insert.run(newId(), kind, now, error, null, channel, target.chat, JSON.stringify(delivery), null);
    },
    list: (limit) => newest.all(Math.max(0, Math.floor(limit))).map(letterOf),
    get: (id) => {
      const row = find.get(id);
      return row === undefined ? null : letterOf(row);
    },
    take: (id) => {
      const row = remove.get(id);
      return row === undefined ? null : { letter: letterOf(row), user: row.user ?? '' };
    },
    count: () => count.get()?.letters ?? 0,
  };
}
