import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { DeliveryId, RunId, ThreadId } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import { newInput } from '../contract/kit.ts';
import type { NewDelivery } from '../port.ts';
import { createWindows } from '../window.ts';
import { createAgenda } from './agenda.ts';
import { createClaims } from './claims.ts';
import { createDeadLetterTable } from './dead-letters.ts';
import { createDeliveryTable } from './deliveries.ts';
import { createInbox } from './inbox.ts';
import { createJanitor } from './janitor.ts';
import { openJournal } from './journal.ts';
import { createPausedChannels } from './paused.ts';

const HOUR_MS = 3_600_000;

it('forgets keys after a day and delivery ids after two, but no id that still waits', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-janitor-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const journal = openJournal(join(folder, 'bus.db'));
  let now = 1_000_000;
  const clock: Clock = { now: () => now, sleep: systemClock.sleep };
  const agenda = createAgenda(clock);
  const inbox = createInbox(journal, createPausedChannels(journal), 10_000);
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
    resendForMs: 0,
  });
  await journal.write(() => {
    for (let n = 0; n < 1_200; n++) {
      inbox.publish(newInput('t' as ThreadId, n), String(n), now);
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

it('forgets a thread after months of silence, and no sooner, and none in which something waits', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-janitor-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const journal = openJournal(join(folder, 'bus.db'));
  let now = 1_000_000;
  const clock: Clock = { now: () => now, sleep: systemClock.sleep };
  const agenda = createAgenda(clock);
  const inbox = createInbox(journal, createPausedChannels(journal), 10);
  const janitor = createJanitor(journal, createWindows(), agenda, clock, silentLogger);
  const [silent, waits] = ['silent', 'waits'] as ThreadId[];
  assert.ok(silent !== undefined && waits !== undefined);
  const publish = (thread: ThreadId) => journal.write(() => inbox.publish(newInput(thread, 1), '1', now));
  const answer = async (thread: ThreadId): Promise<number> => {
    const published = await publish(thread);
    const claimed = await journal.write(() => inbox.claim(thread, 3, now));
    assert.ok(claimed !== null);
    const seq = claimed.inputs[0]?.seq ?? 0;
    await journal.write(() => inbox.commit(thread, claimed.fence, `r_${seq}` as RunId, seq, now));
    return published.answer.status === 'accepted' ? published.answer.seq : 0;
  };
  assert.equal(await answer(silent), 1);
  await publish(waits);
  now += 89 * 24 * HOUR_MS;
  await janitor.sweep();
  assert.equal(await answer(silent), 2);
  now += 91 * 24 * HOUR_MS;
  await janitor.sweep();
  assert.equal(await answer(silent), 1);
  assert.deepEqual(inbox.state(waits), { state: 'queued', waiting: 1 });
  agenda.stop();
  journal.close();
});

it('gives the disk back what a flood has taken, log included', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-janitor-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'bus.db');
  const journal = openJournal(file);
  let now = 1_000_000;
  const clock: Clock = { now: () => now, sleep: systemClock.sleep };
  const agenda = createAgenda(clock);
  const inbox = createInbox(journal, createPausedChannels(journal), 100_000);
  const janitor = createJanitor(journal, createWindows(), agenda, clock, silentLogger);
  const bytes = (): number => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const thread = 'flooded' as ThreadId;
  const payload = JSON.stringify('x'.repeat(2_000));
  const flood = async (): Promise<void> => {
    await journal.write(() => {
      for (let n = 0; n < 5_000; n++) inbox.publish(newInput(thread, null), payload, now);
    });
    const claimed = await journal.write(() => inbox.claim(thread, 3, now));
    await journal.write(() =>
      inbox.commit(thread, claimed?.fence ?? 0, 'r_1' as RunId, claimed?.inputs.at(-1)?.seq ?? 0, now),
    );
  };
  await flood();
  const flooded = bytes();
  assert.ok(flooded > 10_000_000, `${flooded} bytes`);
  now += 25 * HOUR_MS;
  await janitor.sweep();
  const tidy = bytes();
  assert.ok(tidy < 3_000_000, `${tidy} bytes`);
  await flood();
  now += 25 * HOUR_MS;
  await janitor.sweep();
  assert.ok(bytes() < tidy + 100_000, `${bytes()} bytes after ${tidy}`);
  agenda.stop();
  journal.close();
});
