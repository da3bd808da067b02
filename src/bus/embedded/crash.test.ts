import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import type { ThreadId } from '../../base/ids.ts';
import { silentLogger } from '../../base/logger.ts';
import { createEmbeddedBus } from './index.ts';

const THREADS = 40;
const PER_THREAD = 15;
const KILLS = 4;

it('loses, doubles and reorders nothing while the process is killed again and again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-crash-'));
  const file = join(folder, 'bus.db');
  const next = new Map<string, number>(Array.from({ length: THREADS }, (_, n) => [`thread${n}`, 0]));
  let child: ChildProcess | undefined;
  t.after(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the process until it has taken `quota` messages, or has all; one message per thread is under way at a time. */
  const live = async (quota: number): Promise<void> => {
    const process = fork(join(import.meta.dirname, 'crash.child.ts'), [file]);
    child = process;
    await once(process, 'message');
    let taken = 0;
    await new Promise<void>((resolve) => {
      const publish = (thread: string): void => {
        const n = next.get(thread) ?? 0;
        if (n < PER_THREAD) process.send([thread, n], () => {});
        else if ([...next.values()].every((count) => count === PER_THREAD)) resolve();
      };
      process.on('message', ([thread, n]: [string, number]) => {
        next.set(thread, n + 1);
        if (++taken >= quota) resolve();
        else publish(thread);
      });
      for (const thread of next.keys()) publish(thread);
    });
    const exit = once(process, 'exit');
    process.kill('SIGKILL');
    await exit;
  };

  for (let kill = 0; kill < KILLS; kill++) await live((THREADS * PER_THREAD) / (KILLS + 1));
  await live(Number.POSITIVE_INFINITY);

  // No lock is left behind by the dead.
  const bus = await createEmbeddedBus({ file, log: silentLogger });
  t.after(() => bus.close({ graceMs: 0 }));
  const answered = new Map<string, number[]>([...next.keys()].map((thread) => [thread, []]));
  const all = Promise.withResolvers<void>();
  let count = 0;
  await bus.outbox.send(
    ['telegram'],
    async (outgoing) => {
      if (outgoing.kind === 'delivery') {
        const { target, document } = outgoing.delivery;
        answered.get(target.chat)?.push(Number(document.markdown));
        if (++count === THREADS * PER_THREAD) all.resolve();
      }
      return { kind: 'sent' };
    },
    { concurrency: 16, leaseMs: 5_000 },
  );
  await bus.work(
    {
      run: async (turn) => ({
        kind: 'done',
        commit: 'r_last' as never,
        ackSeq: turn.inputs.at(-1)?.seq ?? 0,
        deliveries: turn.inputs.map((input) => ({
          id: `${turn.thread}:${input.seq}` as never,
          channel: 'telegram',
          target: { chat: turn.thread, chatKind: 'dm' },
          document: { markdown: String(input.payload) },
          limits: [],
          at: input.at,
        })),
      }),
      giveUp: async () => [],
    },
    { concurrency: 16, leaseMs: 5_000, maxAttempts: 1_000 },
  );
  await all.promise;
  const expected = Array.from({ length: PER_THREAD }, (_, n) => n);
  for (const [thread, numbers] of answered) {
    assert.deepEqual(numbers, expected, thread);
    assert.deepEqual(await bus.threadState(thread as ThreadId), { state: 'idle', waiting: 0 });
  }
  assert.deepEqual(await bus.deadLetters.list(1), []);
});

it('keeps a second process out for as long as the first one lives', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'antler-crash-'));
  const file = join(folder, 'bus.db');
  const child = fork(join(import.meta.dirname, 'crash.child.ts'), [file]);
  t.after(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await once(child, 'message');
  await assert.rejects(createEmbeddedBus({ file, log: silentLogger }), {
    code: 'conflict',
    message: /another Antler runs on this data folder/,
  });
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  await (await createEmbeddedBus({ file, log: silentLogger })).close();
});
