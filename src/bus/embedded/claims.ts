import type { Clock } from '../../base/clock.ts';
import type { Claims } from '../port.ts';
import { KEPT_MS } from './janitor.ts';
import type { Journal } from './journal.ts';

export function createClaims(journal: Journal, clock: Clock): Claims {
  // A claim whose time is up may be taken over; a completed one is kept until the janitor comes.
  const claim = journal.prepare(
    `INSERT INTO claim(key, done, until) VALUES (:key, 0, :until)
     ON CONFLICT(key) DO UPDATE SET done = 0, until = excluded.until WHERE until <= :now`,
  );
  const find = journal.prepare<{ done: number }>('SELECT done FROM claim WHERE key = ?');
  const complete = journal.prepare(
    `INSERT INTO claim(key, done, until) VALUES (?, 1, ?)
     ON CONFLICT(key) DO UPDATE SET done = 1, until = excluded.until`,
  );
  const release = journal.prepare('DELETE FROM claim WHERE key = ? AND done = 0');
  return {
    claim: (key, holdMs) =>
      journal.write(() => {
        const now = clock.now();
        if (claim.run({ key, now, until: now + Math.ceil(holdMs) }) > 0) return 'yours';
        return find.get(key)?.done === 1 ? 'done' : 'held';
      }),
    complete: (key) =>
      journal.write(() => {
        complete.run(key, clock.now() + KEPT_MS.key);
      }),
    release: (key) =>
      journal.write(() => {
        release.run(key);
      }),
  };
}
