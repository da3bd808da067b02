import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunId } from '../../base/ids.ts';
import { newInput, newThreadId } from '../contract/kit.ts';
import { createInbox } from './inbox.ts';
import { openJournal } from './journal.ts';
import { createPausedChannels } from './paused.ts';

const now = 1_700_000_000_000;

test('what a failed transaction had changed is not remembered, and what it had not is', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-bus-'));
  const journal = openJournal(join(folder, 'bus.db'));
  t.after(() => {
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const inbox = createInbox(journal, createPausedChannels(journal), 10);
  const thread = newThreadId();
  const publish = (n: number) => inbox.publish(newInput(thread, n), String(n), now).answer;
  await journal.write(() => publish(1));
  await journal.write(() => publish(2));
  const broken = journal.write(() => {
    publish(3);
    inbox.claim(thread, 3, now);
    throw new Error('broken');
  });
  const neighbour = journal.write(() => publish(4));
  await assert.rejects(broken, /broken/);
  assert.deepEqual(await neighbour, { status: 'accepted', seq: 3, state: 'queued' });
  assert.deepEqual(inbox.state(thread), { state: 'queued', waiting: 3 });
  const claimed = await journal.write(() => inbox.claim(thread, 3, now));
  assert.deepEqual(
    claimed?.inputs.map(({ seq, payload }) => [seq, payload]),
    [
      [1, 1],
      [2, 2],
      [3, 4],
    ],
  );
  assert.equal(claimed?.fence, 1);
});

test('a thread that grew while it was busy counts on after a start, from the newest input it had', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-bus-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const open = () => {
    const journal = openJournal(join(folder, 'bus.db'));
    return { journal, inbox: createInbox(journal, createPausedChannels(journal), 10) };
  };
  const thread = newThreadId();
  const before = open();
  const inputs = [1, 2, 3].map((n) => newInput(thread, n));
  for (const [n, input] of inputs.entries())
    await before.journal.write(() => before.inbox.publish(input, String(n), now));
  await before.journal.write(() => before.inbox.withdraw(thread, inputs[2]?.dedupeKey ?? '', now));
  before.journal.close();

  const after = open();
  t.after(() => after.journal.close());
  assert.deepEqual(after.inbox.counts(), { queuedThreads: 1, runningThreads: 0, waitingInputs: 2 });
  const { answer } = await after.journal.write(() => after.inbox.publish(newInput(thread, 4), '4', now));
  assert.deepEqual(answer, { status: 'accepted', seq: 4, state: 'queued' });
  const claimed = await after.journal.write(() => after.inbox.claim(thread, 3, now));
  const done = await after.journal.write(() => after.inbox.commit(thread, claimed?.fence ?? 0, 'r' as RunId, 4, now));
  assert.equal(done.left, 'idle');
});
