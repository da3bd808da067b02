import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ThreadId } from '../../base/ids.ts';
import type { Quiet } from '../../channel/busy.ts';
import type { MessageBus, NewInput } from '../port.ts';
import {
  done,
  handlerOf,
  idle,
  newInput,
  newRunId,
  newThreadId,
  type OpenBus,
  payloadsOf,
  until,
  workHolding,
  workOptions,
} from './kit.ts';

/** A test that waits for this fails instead. */
const NEVER_MS = 3_600_000;
const never: Quiet = { whenIdleMs: NEVER_MS, whenBusyMs: NEVER_MS, mostMs: NEVER_MS };
/** Clocks of several processes, and timers, are not finer than this. */
const SLACK_MS = 15;

const withQuiet = (thread: ThreadId, payload: unknown, quiet: Quiet): NewInput => ({
  ...newInput(thread, payload),
  quiet,
});

interface Begun {
  readonly payloads: unknown[];
  readonly at: number;
}

async function workNoting(bus: MessageBus): Promise<Begun[]> {
  const turns: Begun[] = [];
  await bus.work(
    handlerOf(async (turn) => {
      turns.push({ payloads: payloadsOf(turn), at: performance.now() });
      return done(turn);
    }),
    workOptions,
  );
  return turns;
}

const payloads = (turns: readonly Begun[]): unknown[][] => turns.map((turn) => turn.payloads);

/** Bursts: a turn that has not begun waits a little for more. */
export function quietContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('answers a lone message at once where no wait is asked for', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns = await workNoting(bus);
      await bus.publish(withQuiet(thread, 1, { ...never, whenIdleMs: 0 }));
      await idle(bus, thread);
      assert.deepEqual(payloads(turns), [[1]]);
    });

    it('joins a burst, and begins when nothing new has come for the time of an idle thread', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns = await workNoting(bus);
      const quiet = { ...never, whenIdleMs: 400 };
      for (const n of [1, 2]) await bus.publish(withQuiet(thread, n, quiet));
      const lastAt = performance.now();
      const last = await bus.publish(withQuiet(thread, 3, quiet));
      assert.deepEqual(last, { status: 'accepted', seq: 3, state: 'queued' });
      assert.deepEqual(await bus.threadState(thread), { state: 'queued', waiting: 3 });
      await idle(bus, thread);
      assert.deepEqual(payloads(turns), [[1, 2, 3]]);
      const waited = (turns[0]?.at ?? 0) - lastAt;
      assert.ok(waited >= 400 - SLACK_MS, `waited ${waited} ms`);
    });

    it('waits no longer than the most since the first message', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns = await workNoting(bus);
      const firstAt = performance.now();
      const quiet = { ...never, mostMs: 400 };
      for (const n of [1, 2, 3]) await bus.publish(withQuiet(thread, n, quiet));
      await idle(bus, thread);
      assert.deepEqual(payloads(turns), [[1, 2, 3]]);
      const waited = (turns[0]?.at ?? 0) - firstAt;
      assert.ok(waited >= 400 - SLACK_MS, `waited ${waited} ms`);
    });

    it('waits after a turn for more of what came during it', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const { turns, started, letGo } = await workHolding(bus);
      const quiet = { whenIdleMs: 0, whenBusyMs: 400, mostMs: NEVER_MS };
      await bus.publish(withQuiet(thread, 1, quiet));
      await started;
      await bus.publish(withQuiet(thread, 2, quiet));
      letGo();
      await until('the end of the turn', async () => (await bus.threadState(thread)).state !== 'running');
      const lastAt = performance.now();
      await bus.publish(withQuiet(thread, 3, quiet));
      await until('the next turn', () => turns.length === 2);
      const waited = performance.now() - lastAt;
      await idle(bus, thread);
      assert.deepEqual(turns, [[1], [2, 3]]);
      assert.ok(waited >= 400 - SLACK_MS, `waited ${waited} ms`);
    });

    it('does not wait after a turn for what came long before its end', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const { turns, started, letGo } = await workHolding(bus);
      await bus.publish(newInput(thread, 1));
      await started;
      await bus.publish(withQuiet(thread, 2, { ...never, mostMs: 20 }));
      await new Promise((resolve) => setTimeout(resolve, 40));
      await bus.publish(withQuiet(thread, 3, { ...never, mostMs: 20 }));
      letGo();
      await idle(bus, thread);
      assert.deepEqual(turns, [[1], [2, 3]]);
    });

    it('goes by the numbers of the newest message', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns = await workNoting(bus);
      await bus.publish(withQuiet(thread, 1, never));
      await bus.publish(withQuiet(thread, 2, { ...never, whenIdleMs: 0 }));
      await idle(bus, thread);
      assert.deepEqual(payloads(turns), [[1, 2]]);
    });

    it('does not wait anew once the wait is over and only a worker is missing', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      await bus.publish(newInput(thread, 1));
      await bus.publish(withQuiet(thread, 2, never));
      const turns = await workNoting(bus);
      await idle(bus, thread);
      assert.deepEqual(payloads(turns), [[1, 2]]);
    });

    it('lets a turn that nothing can join wait for nothing', async (t) => {
      const { bus } = await open(t, {});
      const [alone, closed] = [newThreadId(), newThreadId()];
      const turns = await workNoting(bus);
      await bus.publish({ ...withQuiet(alone, 'alone', never), busy: 'queue' });
      await idle(bus, alone);
      await bus.publish(withQuiet(closed, 'burst', never));
      await bus.publish({ ...withQuiet(closed, 'behind it', never), busy: 'queue' });
      await idle(bus, closed);
      assert.deepEqual(payloads(turns), [['alone'], ['burst'], ['behind it']]);
    });

    it('waits neither for a turn that is tried again, nor for the rest of one', async (t) => {
      const { bus } = await open(t, {});
      const [failing, partly] = [newThreadId(), newThreadId()];
      const turns: unknown[][] = [];
      await bus.publish(newInput(partly, 'p1'));
      await bus.publish(withQuiet(partly, 'p2', never));
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          if (turn.thread === failing && turns.length === 1) return { kind: 'retry', delayMs: NEVER_MS, error: 'down' };
          return { kind: 'done', commit: newRunId(), ackSeq: turn.inputs[0]?.seq ?? 0, deliveries: [] };
        }),
        { ...workOptions, concurrency: 1 },
      );
      await idle(bus, partly);
      assert.deepEqual(turns.splice(0), [['p1', 'p2'], ['p2']]);
      await bus.publish(newInput(failing, 'f1'));
      await until('the wait', async () => (await bus.threadState(failing)).state === 'delayed');
      await bus.publish(withQuiet(failing, 'f2', never));
      await idle(bus, failing);
      assert.deepEqual(turns, [['f1'], ['f1', 'f2'], ['f2']]);
    });

    it('goes on waiting, and begins, after a restart', async (t) => {
      const { bus, reopen } = await open(t, {});
      if (reopen === undefined) return t.skip('cannot be opened again');
      const thread = newThreadId();
      const publishedAt = performance.now();
      await bus.publish(withQuiet(thread, 1, { ...never, whenIdleMs: 500 }));
      const again = await reopen();
      const turns = await workNoting(again);
      await idle(again, thread);
      assert.deepEqual(payloads(turns), [[1]]);
      const waited = (turns[0]?.at ?? 0) - publishedAt;
      assert.ok(waited >= 500 - SLACK_MS, `waited ${waited} ms`);
    });
  });
}
