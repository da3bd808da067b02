import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { DeliveryId } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import type { NewDelivery } from '../port.ts';
import { createWindows } from '../window.ts';
import { createAgenda } from './agenda.ts';
import { createClaims } from './claims.ts';
import { createDeadLetterTable } from './dead-letters.ts';
import { createDeliveryTable } from './deliveries.ts';
import { createInbox } from './inbox.ts';
import { createJanitor } from './janitor.ts';
import { openJournal } from './journal.ts';

const HOUR_MS = 3_600_000;

it('forgets keys after a day and delivery ids after two, but no id that still waits', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-janitor-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const journal = openJournal(join(folder, 'bus.db'));
  let now = 1_000_000;
  const clock: Clock = { now: () => now, sleep: systemClock.sleep };
  const agenda = createAgenda(clock);
  const inbox = createInbox(journal, 10_000);
  const deliveries = createDeliveryTable(journal, createDeadLetterTable(journal));
  const claims = createClaims(journal, clock);
  const janitor = createJanitor(journal, createWindows(), agenda, clock, silentLogger);
  const rows = (table: string): number =>
    journal.prepare<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? 0;

  const delivery = (id: string, chat: string): NewDelivery => ({
    id: id as DeliveryId,
    channel: 'telegram',
    target: { chat, chatKind: 'dm' },
    document: { markdown: 'hi' },
    limits: [{ scope: 'telegram', count: 30, windowMs: 1_000 }],
    at: now,
  });
  await journal.write(() => {
    for (let n = 0; n < 1_200; n++) {
      const input = { thread: 't' as never, chat: 'telegram/1', dedupeKey: `k${n}`, payload: n, at: now };
      inbox.publish(input, String(n), now);
    }
    deliveries.add(delivery('waits', 'a'), now);
    deliveries.add(delivery('sent', 'b'), now);
    const head = deliveries.first('telegram', 'b');
    assert.ok(head !== null);
    deliveries.take(head, now);
    deliveries.sent(head);
    deliveries.show('stream', ['m1'], now);
  });
  await claims.claim('claimed', HOUR_MS);
  await claims.complete('claimed');

  now += 13 * HOUR_MS;
  await janitor.sweep();
  assert.deepEqual([rows('seen'), rows('claim'), rows('known_delivery'), rows('stream')], [1_200, 1, 2, 1]);
  assert.equal(rows('reservation'), 0);
  now += 12 * HOUR_MS;
  await janitor.sweep();
  assert.deepEqual([rows('seen'), rows('claim'), rows('known_delivery'), rows('stream')], [0, 0, 2, 1]);
  now += 24 * HOUR_MS;
  await janitor.sweep();
  assert.deepEqual([rows('known_delivery'), rows('stream'), rows('input')], [1, 0, 1_200]);
  assert.equal(await journal.write(() => deliveries.add(delivery('waits', 'a'), now)), false);
  agenda.stop();
  journal.close();
});
