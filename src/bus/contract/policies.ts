import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ThreadId } from '../../base/ids.ts';
import type { BusyPolicy } from '../../channel/busy.ts';
import type { MessageBus, NewInput, Published } from '../port.ts';
import {
  aborted,
  done,
  gate,
  handlerOf,
  idle,
  newDelivery,
  newInput,
  newThreadId,
  type OpenBus,
  payloadsOf,
  sendOptions,
  until,
  workHolding,
  workOptions,
} from './kit.ts';

const withPolicy = (thread: ThreadId, payload: unknown, busy: BusyPolicy): NewInput => ({
  ...newInput(thread, payload),
  busy,
});

const publish = (bus: MessageBus, thread: ThreadId, payload: unknown, busy: BusyPolicy): Promise<Published> =>
  bus.publish(withPolicy(thread, payload, busy));

/** What an input does that comes while the thread is busy; steering has a file of its own. */
export function policyContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('joins what comes with collect, and gives each a turn that comes with queue', async (t) => {
      const { bus } = await open(t, {});
      const [joined, apart] = [newThreadId(), newThreadId()];
      const seen = new Map<string, unknown[][]>([
        [joined, []],
        [apart, []],
      ]);
      const started = gate();
      const go = gate();
      await bus.work(
        handlerOf(async (turn) => {
          seen.get(turn.thread)?.push(payloadsOf(turn));
          if ([...seen.values()].every((turns) => turns.length > 0)) started.open();
          await go.passed;
          return done(turn);
        }),
        workOptions,
      );
      await publish(bus, joined, 1, 'collect');
      await publish(bus, apart, 1, 'queue');
      await started.passed;
      for (const n of [2, 3, 4]) {
        await publish(bus, joined, n, 'collect');
        await publish(bus, apart, n, 'queue');
      }
      go.open();
      await idle(bus, joined);
      await idle(bus, apart);
      assert.deepEqual(seen.get(joined), [[1], [2, 3, 4]]);
      assert.deepEqual(seen.get(apart), [[1], [2], [3], [4]]);
    });

    it('keeps order and turns apart when policies mix in one inbox', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const { turns, started, letGo } = await workHolding(bus);
      await publish(bus, thread, 'active', 'collect');
      await started;
      const mixed: [string, BusyPolicy][] = [
        ['c1', 'collect'],
        ['s2', 'steer'],
        ['q3', 'queue'],
        ['q4', 'queue'],
        ['s5', 'steer'],
        ['c6', 'collect'],
        ['q7', 'queue'],
        ['c8', 'collect'],
      ];
      for (const [payload, busy] of mixed) await publish(bus, thread, payload, busy);
      assert.equal((await bus.threadState(thread)).waiting, 9);
      letGo();
      await idle(bus, thread);
      assert.deepEqual(turns, [['active'], ['c1', 's2'], ['q3'], ['q4'], ['s5', 'c6'], ['q7'], ['c8']]);
    });

    it('keeps turns apart that wait before anybody works, and over a restart', async (t) => {
      const { bus, reopen } = await open(t, {});
      const thread = newThreadId();
      for (const n of [1, 2]) await publish(bus, thread, n, 'queue');
      for (const n of [3, 4]) await publish(bus, thread, n, 'collect');
      const again = reopen === undefined ? bus : await reopen();
      const turns: unknown[][] = [];
      await again.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          return done(turn);
        }),
        workOptions,
      );
      await idle(again, thread);
      assert.deepEqual(turns, [[1], [2], [3, 4]]);
    });

    it('runs a queued turn that failed again by itself, before those behind it', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: [unknown[], number][] = [];
      for (const n of [1, 2]) await publish(bus, thread, n, 'queue');
      await bus.work(
        handlerOf(async (turn) => {
          turns.push([payloadsOf(turn), turn.attempt]);
          return turns.length === 1 ? { kind: 'retry', delayMs: 10, error: 'once' } : done(turn);
        }),
        workOptions,
      );
      await idle(bus, thread);
      assert.deepEqual(turns, [
        [[1], 0],
        [[1], 1],
        [[2], 0],
      ]);
    });

    it('interrupts the active run, whose commit counts, and answers the newcomer at once', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const started = gate();
      const reasons: unknown[] = [];
      const turns: unknown[][] = [];
      const sent: string[] = [];
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          if (turns.length > 1) return done(turn, [newDelivery('the new answer')]);
          started.open();
          reasons.push(await aborted(turn));
          return done(turn, [newDelivery('what there was')]);
        }),
        workOptions,
      );
      await publish(bus, thread, 'first', 'interrupt');
      await started.passed;
      await publish(bus, thread, 'waits', 'collect');
      const newcomer = withPolicy(thread, 'newcomer', 'interrupt');
      const answer = await bus.publish({
        ...newcomer,
        quiet: { whenIdleMs: 60_000, whenBusyMs: 60_000, mostMs: 60_000 },
      });
      assert.deepEqual(answer, { status: 'accepted', seq: 3, state: 'running' });
      await until('both answers', () => sent.length === 2);
      await idle(bus, thread);
      assert.deepEqual(reasons, ['interrupt']);
      assert.deepEqual(turns, [['first'], ['waits', 'newcomer']]);
      assert.deepEqual(sent, ['what there was', 'the new answer']);
    });

    it('interrupts from another instance, and one that comes just as the run begins', async (t) => {
      const { bus, second } = await open(t, {});
      const other = second === undefined ? bus : await second();
      const reasons: unknown[] = [];
      await bus.work(
        handlerOf(async (turn) => {
          if (payloadsOf(turn).includes('interrupts')) return done(turn);
          reasons.push(await aborted(turn));
          return done(turn);
        }),
        workOptions,
      );
      for (let round = 0; round < 20; round++) {
        const thread = newThreadId();
        await publish(other, thread, 'runs', 'interrupt');
        let state = 'queued';
        // As early as its run can be told from one that waits.
        await until('the run', async () => {
          if (state !== 'running') state = (await other.threadState(thread)).state;
          return state === 'running';
        });
        const answer = await publish(other, thread, 'interrupts', 'interrupt');
        assert.ok(answer.status === 'accepted' && answer.state === 'running');
        await idle(other, thread);
      }
      assert.deepEqual(reasons, new Array(20).fill('interrupt'));
    });

    it('leaves a run alone whose input interrupts only what is queued', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      await publish(bus, thread, 1, 'interrupt');
      assert.equal((await publish(bus, thread, 2, 'interrupt')).status, 'accepted');
      const reasons: unknown[] = [];
      const turns: unknown[][] = [];
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          if (turn.signal.aborted) reasons.push(await aborted(turn));
          return done(turn);
        }),
        workOptions,
      );
      await idle(bus, thread);
      assert.deepEqual([turns, reasons], [[[1, 2]], []]);
    });

    it('rejects what comes while a turn is active or waits, and takes the same message afterwards', async (t) => {
      const { bus } = await open(t, {});
      const [queued, running] = [newThreadId(), newThreadId()];
      await publish(bus, queued, 1, 'reject');
      const refused = withPolicy(queued, 2, 'reject');
      assert.deepEqual(await bus.publish(refused), { status: 'busy' });
      assert.deepEqual(await bus.publish(refused), { status: 'busy' });
      assert.deepEqual(await bus.threadState(queued), { state: 'queued', waiting: 1 });
      const { turns, started, letGo } = await workHolding(bus, { ...workOptions, concurrency: 1 });
      await started;
      assert.deepEqual(await bus.publish(refused), { status: 'busy' });
      letGo();
      await idle(bus, queued);
      const known = withPolicy(running, 3, 'reject');
      assert.equal((await bus.publish(known)).status, 'accepted');
      await idle(bus, running);
      assert.equal((await bus.publish(refused)).status, 'accepted');
      await idle(bus, queued);
      // A redelivery of what was taken is no new message, however busy the thread is.
      assert.deepEqual(await bus.publish(refused), { status: 'duplicate' });
      assert.deepEqual(turns, [[1], [3], [2]]);
    });

    it('rejects what comes while the thread waits for a retry', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      await bus.work(
        handlerOf(async () => ({ kind: 'retry', delayMs: 3_600_000, error: 'down' })),
        workOptions,
      );
      await publish(bus, thread, 1, 'reject');
      await until('the wait', async () => (await bus.threadState(thread)).state === 'delayed');
      assert.deepEqual(await publish(bus, thread, 2, 'reject'), { status: 'busy' });
      assert.deepEqual(await bus.threadState(thread), { state: 'delayed', waiting: 1 });
    });
  });
}
