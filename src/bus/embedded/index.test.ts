import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { silentLogger } from '../../base/logger.ts';
import { newDelivery, newInput, newThreadId, unique, until } from '../contract/kit.ts';
import type { MessageBus } from '../port.ts';
import { createEmbeddedBus } from './index.ts';

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
