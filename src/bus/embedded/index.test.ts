import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import {
  aborted,
  done,
  idle,
  newDelivery,
  newInput,
  newThreadId,
  unique,
  until,
  workHolding,
} from '../contract/kit.ts';
import type { MessageBus } from '../port.ts';
import { createEmbeddedBus } from './index.ts';
import { migrations } from './schema.ts';

function newFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'antler-bus-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'bus.db');
}

const open = (file: string): Promise<MessageBus> => createEmbeddedBus({ file, log: silentLogger });

/** What of this kind keeps the process alive. */
const alive = (kind: string): number => process.getActiveResourcesInfo().filter((one) => one === kind).length;

it('leaves no timer and no loop behind when it is closed, whatever it waited for', async (t) => {
  const timers = alive('Timeout');
  const bus = await open(newFile(t));
  const working = await bus.work(
    { run: async () => ({ kind: 'retry', delayMs: 3_600_000, error: 'down' }), giveUp: async () => [] },
    { concurrency: 1, leaseMs: 60_000, maxAttempts: 3 },
  );
  await bus.outbox.send(['telegram'], async () => ({ kind: 'retry', delayMs: 3_600_000, error: 'down' }), {
    concurrency: 1,
    leaseMs: 60_000,
  });
  const thread = newThreadId();
  await bus.publish(newInput(thread, 1));
  await bus.outbox.enqueue([newDelivery('waits')]);
  await until('the wait', async () => (await bus.threadState(thread)).state === 'delayed');
  await working.stop();
  await bus.close();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(alive('Timeout'), timers);
  assert.equal(alive('Immediate'), 0);
});

it('keeps to the rate limits and pauses of before when it is opened again', async (t) => {
  const file = newFile(t);
  const counted = [{ scope: unique('counted'), count: 1, windowMs: 3_600_000 }];
  const paused = [{ scope: unique('paused'), count: 100, windowMs: 1_000 }];
  const sent: string[] = [];
  const send = (bus: MessageBus) =>
    bus.outbox.send(
      ['telegram'],
      async (outgoing) => {
        if (outgoing.kind !== 'delivery') return { kind: 'sent' };
        const { markdown } = outgoing.delivery.document;
        sent.push(markdown);
        return markdown === 'refused'
          ? { kind: 'retry', delayMs: 3_600_000, error: 'slow down', pause: paused[0]?.scope ?? '' }
          : { kind: 'sent' };
      },
      { concurrency: 4, leaseMs: 60_000 },
    );
  const before = await open(file);
  await send(before);
  await before.outbox.enqueue([
    newDelivery('counted', { chat: 'a', limits: counted }),
    newDelivery('refused', { chat: 'b', limits: paused }),
  ]);
  await until('both', () => sent.length === 2);
  await before.close();
  const after = await open(file);
  await after.outbox.enqueue([
    newDelivery('over the limit', { chat: 'c', limits: counted }),
    newDelivery('in the pause', { chat: 'd', limits: paused }),
    newDelivery('free', { chat: 'e' }),
  ]);
  await send(after);
  await until('the free one', () => sent.length === 3);
  await after.outbox.enqueue([newDelivery('free, too', { chat: 'e' })]);
  await until('the free one', () => sent.length === 4);
  assert.deepEqual(sent.slice(2), ['free', 'free, too']);
  await after.close();
});

it('wakes a thread whose retry is due only after the restart', async (t) => {
  const file = newFile(t);
  const options = { concurrency: 1, leaseMs: 60_000, maxAttempts: 3 };
  const thread = newThreadId();
  const before = await open(file);
  await before.work(
    { run: async () => ({ kind: 'retry', delayMs: 150, error: 'down' }), giveUp: async () => [] },
    options,
  );
  await before.publish(newInput(thread, 1));
  await until('the wait', async () => (await before.threadState(thread)).state === 'delayed');
  await before.close();
  const after = await open(file);
  assert.equal((await after.threadState(thread)).state, 'delayed');
  let attempt = -1;
  await after.work(
    {
      run: async (turn) => {
        attempt = turn.attempt;
        return { kind: 'done', commit: 'r_1' as never, ackSeq: 1, deliveries: [] };
      },
      giveUp: async () => [],
    },
    options,
  );
  await until('the turn', async () => (await after.threadState(thread)).state === 'idle');
  assert.equal(attempt, 1);
  await after.close();
});

it('takes a turn whose answer no file can hold for failed, and goes on', async (t) => {
  const bus = await open(newFile(t));
  t.after(() => bus.close({ graceMs: 0 }));
  const thread = newThreadId();
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  await assert.rejects(bus.publish(newInput(thread, undefined)), { code: 'bad_input' });
  await assert.rejects(bus.publish(newInput(thread, circular)), { code: 'bad_input' });
  await bus.work(
    {
      run: async (turn) => ({
        kind: 'done',
        commit: 'r_1' as never,
        ackSeq: turn.inputs[0]?.seq ?? 0,
        deliveries: [{ ...newDelivery('x'), target: circular as never }],
      }),
      giveUp: async () => [{ ...newDelivery('sorry'), target: circular as never }],
    },
    { concurrency: 1, leaseMs: 60_000, maxAttempts: 1 },
  );
  await bus.publish(newInput(thread, 1));
  await until('the dead letter', async () => (await bus.stats()).deadLetters === 1);
  assert.deepEqual(await bus.threadState(thread), { state: 'idle', waiting: 0 });
});

it('interrupts a run whose claim is written together with the message that interrupts', async (t) => {
  const bus = await open(newFile(t));
  t.after(() => bus.close({ graceMs: 0 }));
  const thread = newThreadId();
  const turns: unknown[] = [];
  await bus.work(
    {
      run: async (turn) => {
        const payloads = turn.inputs.map((input) => input.payload);
        turns.push([payloads, payloads.includes('runs') ? await aborted(turn) : null]);
        return done(turn);
      },
      giveUp: async () => [],
    },
    { concurrency: 1, leaseMs: 60_000, maxAttempts: 3 },
  );
  await bus.publish(newInput(thread, 'runs'));
  // The claim waits for the next write, and this comes right behind it.
  const answer = await bus.publish({ ...newInput(thread, 'interrupts'), busy: 'interrupt' });
  assert.deepEqual(answer, { status: 'accepted', seq: 2, state: 'running' });
  await idle(bus, thread);
  assert.deepEqual(turns, [
    [['runs'], 'interrupt'],
    [['interrupts'], null],
  ]);
});

it('counts the attempts of what was tried, not of what is left when that is taken back', async (t) => {
  const bus = await open(newFile(t));
  t.after(() => bus.close({ graceMs: 0 }));
  const thread = newThreadId();
  const options = { concurrency: 1, leaseMs: 60_000, maxAttempts: 2 };
  const [bad, good] = [newInput(thread, 'bad'), newInput(thread, 'good')];
  const first = await bus.work(
    { run: async () => ({ kind: 'retry', delayMs: 3_600_000, error: 'broken' }), giveUp: async () => [] },
    options,
  );
  await bus.publish(bad);
  await until('the wait', async () => (await bus.threadState(thread)).state === 'delayed');
  await first.stop();
  await bus.publish(good);
  assert.equal(await bus.withdraw(thread, bad.dedupeKey), 'changed');
  const attempts: number[] = [];
  await bus.work(
    {
      run: async (turn) => {
        attempts.push(turn.attempt);
        return done(turn);
      },
      giveUp: async () => [],
    },
    options,
  );
  await idle(bus, thread);
  assert.deepEqual(attempts, [0]);
});

it('goes on with the file of an earlier version', async (t) => {
  const file = newFile(t);
  const database = new DatabaseSync(file);
  const delivery = { ...newDelivery('waits'), resendForMs: undefined };
  database.exec(`PRAGMA journal_mode = WAL; ${migrations[0]} PRAGMA user_version = 1;
    INSERT INTO thread(id, chat, state, seq, waiting, taken, fence, attempt, due)
      VALUES ('t_old', 'telegram/1', 'queued', 7, 2, 5, 3, 0, 1);
    INSERT INTO input VALUES ('t_old', 6, '"six"', 1), ('t_old', 7, '"seven"', 2);`);
  database
    .prepare(`INSERT INTO delivery VALUES (1, ?, 'telegram', '1', ?, 'sending', 0, 1, 1)`)
    .run(delivery.id, JSON.stringify(delivery));
  database.close();
  const bus = await open(file);
  t.after(() => bus.close({ graceMs: 0 }));
  assert.deepEqual(
    (await bus.deadLetters.list(5)).map((letter) => letter.kind),
    ['uncertain'],
  );
  const { turns, started } = await workHolding(bus);
  await started;
  assert.deepEqual(turns, [['six', 'seven']]);
});
