import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Windows } from '../window.ts';
import type { Agenda } from './agenda.ts';
import type { Journal } from './journal.ts';

const HOUR_MS = 3_600_000;

/** How long what is done is remembered. */
export const KEPT_MS = {
  /** Keys of messages and claims: three times the longest redelivery we know (Feishu repeats an event after up to 7 h). */
  key: 24 * HOUR_MS,
  /** Ids of deliveries, and the messages that a stream has shown. */
  delivery: 48 * HOUR_MS,
  /**
   * Threads in which nothing has happened. Their numbers begin anew afterwards: by then nobody remembers a key, an id
   * or a stream that was made of the old ones.
   */
  thread: 90 * 24 * HOUR_MS,
} as const;

/** Dead letters beyond these many newest ones are dropped. */
const MOST_DEAD_LETTERS = 10_000;

const FIRST_ROUND_MS = 60_000;
const ROUND_MS = 10 * 60_000;
/** Rows that go in one transaction, so that no round holds anybody up. */
const CHUNK = 500;

/** Unused pages (of 4 KiB) that are kept for what comes next. */
const SPARE_PAGES = 256;
/** Pages that are given back at once. */
const TRIM_PAGES = 256;

export interface Janitor {
  /** Begins the rounds. They end with the agenda. */
  start(): void;
  /** One round: forgets what nobody will ask for any more. */
  sweep(): Promise<void>;
}

export function createJanitor(journal: Journal, windows: Windows, agenda: Agenda, clock: Clock, log: Logger): Janitor {
  const forget = (table: string, key: string, condition: string) =>
    journal.prepare(
      `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${CHUNK})`,
    );
  const seen = forget('seen', 'key', 'at < ?');
  const claims = forget('claim', 'key', 'until < ?');
  // As long as it waits, its id is known.
  const ids = forget(
    'known_delivery',
    'id',
    'at < ? AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.id = known_delivery.id)',
  );
  const streams = forget('stream', 'id', 'at < ?');
  const reservations = forget('reservation', 'rowid', 'until < ?');
  const pauses = forget('pause', 'scope', 'until < ?');
  const threads = forget('thread', 'id', `state = 'idle' AND due < ?`);
  const letters = forget('dead_letter', 'n', 'n <= (SELECT max(n) FROM dead_letter) - ?');

  const sweep = async (): Promise<void> => {
    const now = clock.now();
    windows.prune(now);
    const duties = [
      [seen, now - KEPT_MS.key],
      [claims, now],
      [ids, now - KEPT_MS.delivery],
      [streams, now - KEPT_MS.delivery],
      [reservations, now],
      [pauses, now],
      [threads, now - KEPT_MS.thread],
      [letters, MOST_DEAD_LETTERS],
    ] as const;
    for (const [statement, limit] of duties) while ((await journal.write(() => statement.run(limit))) === CHUNK);
    await shrink();
  };

  /** Gives the file's unused pages back to the disk, a few at a time. */
  const shrink = async (): Promise<void> => {
    let unused = journal.trim(0);
    while (unused > SPARE_PAGES) {
      const before = unused;
      unused = journal.trim(Math.min(TRIM_PAGES, unused - SPARE_PAGES));
      if (unused >= before) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  const round = (): void => {
    sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'the bus could not tidy up'))
      .finally(() => agenda.set('janitor', clock.now() + ROUND_MS, round));
  };

  return { start: () => agenda.set('janitor', clock.now() + FIRST_ROUND_MS, round), sweep };
}
