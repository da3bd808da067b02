import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TurnInput } from '../port.ts';
import {
  done,
  gate,
  handlerOf,
  idle,
  newInput,
  newThreadId,
  type OpenBus,
  payloadsOf,
  until,
  workHolding,
  workOptions,
} from './kit.ts';

/** Inputs that are taken back or changed after they were published. */
export function recallContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('takes back and changes what waits, and leaves the rest as it was', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const inputs = ['a', 'b', 'c', 'd'].map((payload) => newInput(thread, payload));
      for (const input of inputs) await bus.publish(input);
      const key = (n: number): string => inputs[n]?.dedupeKey ?? '';
      assert.equal(await bus.withdraw(thread, key(0)), 'changed');
      assert.equal(await bus.amend(thread, key(2), { text: 'C 谢谢' }), 'changed');
      assert.equal(await bus.amend(thread, key(2), { text: 'C 谢谢!' }), 'changed');
      assert.equal(await bus.withdraw(thread, key(3)), 'changed');
      assert.deepEqual(await bus.threadState(thread), { state: 'queued', waiting: 2 });
      const turn = gate<readonly TurnInput[]>();
      await bus.work(
        handlerOf(async (given) => {
          turn.open(given.inputs);
          return done(given);
        }),
        workOptions,
      );
      assert.deepEqual(await turn.passed, [
        { seq: 2, payload: 'b', at: inputs[1]?.at },
        { seq: 3, payload: { text: 'C 谢谢!' }, at: inputs[2]?.at },
      ]);
      await idle(bus, thread);
      // A number names one input for ever, also one that was taken back.
      const next = await bus.publish(newInput(thread, 'e'));
      assert.ok(next.status === 'accepted' && next.seq === 5);
      await idle(bus, thread);
    });

    it('leaves alone what is being answered, and what is over', async (t) => {
      const { bus, second } = await open(t, {});
      const other = second === undefined ? bus : await second();
      const thread = newThreadId();
      const [active, waits] = [newInput(thread, 'active'), newInput(thread, 'waits')];
      const { turns, started, letGo } = await workHolding(bus);
      await bus.publish(active);
      await started;
      await bus.publish(waits);
      assert.equal(await other.withdraw(thread, active.dedupeKey), 'alone');
      assert.equal(await other.amend(thread, active.dedupeKey, 'changed'), 'active');
      assert.equal(await other.amend(thread, waits.dedupeKey, 'changed'), 'changed');
      letGo();
      await idle(bus, thread);
      assert.deepEqual(turns, [['active'], ['changed']]);
      for (const input of [active, waits]) {
        assert.equal(await bus.withdraw(thread, input.dedupeKey), 'gone');
        assert.equal(await bus.amend(thread, input.dedupeKey, 'late'), 'gone');
      }
      assert.equal(await bus.withdraw(thread, 'never was'), 'gone');
      assert.equal(await bus.withdraw(newThreadId(), 'never was'), 'gone');
      const elsewhere = newInput(thread, 'elsewhere');
      await bus.publish(elsewhere);
      assert.equal(await bus.withdraw(newThreadId(), elsewhere.dedupeKey), 'gone');
      await idle(bus, thread);
    });

    it('leaves alone what was steered into the active run', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const started = gate();
      const taken = gate();
      const end = gate();
      await bus.work(
        handlerOf(async (turn) => {
          started.open();
          await until('what was steered', async () => (await turn.steered()).length > 0);
          taken.open();
          await end.passed;
          return done({ inputs: [{ seq: 2, payload: null, at: 0 }] });
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 'begins'));
      await started.passed;
      const steered = { ...newInput(thread, 'steered'), busy: 'steer' } as const;
      await bus.publish(steered);
      await taken.passed;
      assert.equal(await bus.withdraw(thread, steered.dedupeKey), 'active');
      assert.equal(await bus.amend(thread, steered.dedupeKey, 'late'), 'active');
      const late = { ...newInput(thread, 'too late'), busy: 'steer' } as const;
      await bus.publish(late);
      assert.equal(await bus.withdraw(thread, late.dedupeKey), 'changed');
      end.open();
      await idle(bus, thread);
    });

    it('leaves a thread idle whose last input is taken back, whatever it waited for', async (t) => {
      const { bus } = await open(t, {});
      const [queued, delayed, bursting] = [newThreadId(), newThreadId(), newThreadId()];
      const seen: unknown[] = [];
      const retried = newInput(delayed, 'retried');
      await bus.work(
        handlerOf(async (turn) => {
          seen.push(...payloadsOf(turn));
          return turn.thread === delayed && seen.length === 1
            ? { kind: 'retry', delayMs: 3_600_000, error: 'down' }
            : done(turn);
        }),
        workOptions,
      );
      await bus.publish(retried);
      await until('the wait', async () => (await bus.threadState(delayed)).state === 'delayed');
      const burst = {
        ...newInput(bursting, 'burst'),
        quiet: { whenIdleMs: 3_600_000, whenBusyMs: 3_600_000, mostMs: 3_600_000 },
      };
      await bus.publish(burst);
      assert.equal(await bus.withdraw(delayed, retried.dedupeKey), 'changed');
      assert.equal(await bus.withdraw(bursting, burst.dedupeKey), 'changed');
      for (const thread of [delayed, bursting])
        assert.deepEqual(await bus.threadState(thread), { state: 'idle', waiting: 0 });
      assert.equal((await bus.stats()).waitingInputs, 0);
      assert.equal((await bus.stats()).queuedThreads, 0);
      for (const thread of [queued, delayed, bursting]) {
        assert.deepEqual((await bus.publish(newInput(thread, 'next'))).status, 'accepted');
        await idle(bus, thread);
      }
      assert.deepEqual(seen, ['retried', 'next', 'next', 'next']);
    });

    it('takes what is amended into the next try of a turn', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: unknown[][] = [];
      const input = newInput(thread, 'typo');
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          return turns.length === 1 ? { kind: 'retry', delayMs: 3_600_000, error: 'down' } : done(turn);
        }),
        workOptions,
      );
      await bus.publish(input);
      await until('the wait', async () => (await bus.threadState(thread)).state === 'delayed');
      assert.equal(await bus.amend(thread, input.dedupeKey, 'mended'), 'changed');
      assert.equal((await bus.threadState(thread)).state, 'delayed');
      await bus.publish(newInput(thread, 'more'));
      await idle(bus, thread);
      assert.deepEqual(turns, [['typo'], ['mended', 'more']]);
    });

    it('frees the place of a thread that is emptied, and passes over one that waited for a place', async (t) => {
      const { bus } = await open(t, { places: { chat: 1, user: 100 } });
      const threads = ['first', 'second', 'third', 'fourth'].map((payload) => newInput(newThreadId(), payload));
      const [first, second, third, fourth] = threads;
      assert.ok(first !== undefined && second !== undefined && third !== undefined && fourth !== undefined);
      for (const input of [first, second]) await bus.publish(input);
      assert.equal(await bus.withdraw(first.thread, first.dedupeKey), 'changed');
      const { turns, started, letGo } = await workHolding(bus);
      await started;
      for (const input of [third, fourth]) await bus.publish(input);
      assert.equal(await bus.withdraw(third.thread, third.dedupeKey), 'changed');
      assert.deepEqual(await bus.threadState(third.thread), { state: 'idle', waiting: 0 });
      letGo();
      for (const input of threads) await idle(bus, input.thread);
      assert.deepEqual(turns, [['second'], ['fourth']]);
    });

    it('does not let a redelivery bring back what was taken back, also after a restart', async (t) => {
      const { bus, reopen } = await open(t, {});
      const thread = newThreadId();
      const input = newInput(thread, 'recalled');
      await bus.publish(input);
      assert.equal(await bus.withdraw(thread, input.dedupeKey), 'changed');
      assert.equal(await bus.withdraw(thread, input.dedupeKey), 'gone');
      assert.equal(await bus.amend(thread, input.dedupeKey, 'late'), 'gone');
      assert.deepEqual(await bus.publish(input), { status: 'duplicate' });
      const again = reopen === undefined ? bus : await reopen();
      assert.deepEqual(await again.publish(input), { status: 'duplicate' });
      assert.deepEqual(await again.threadState(thread), { state: 'idle', waiting: 0 });
    });

    it('takes back all that waits behind a run at once, and the thread counts on', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const { turns, started, letGo } = await workHolding(bus);
      assert.equal(await bus.clear(thread), 0);
      const active = newInput(thread, 'active');
      await bus.publish(active);
      await started;
      const waiting = ['a', 'b'].map((payload) => newInput(thread, payload));
      for (const input of waiting) await bus.publish(input);
      assert.equal(await bus.clear(thread), 2);
      assert.equal(await bus.clear(thread), 0);
      assert.deepEqual(await bus.threadState(thread), { state: 'running', waiting: 1 });
      for (const input of waiting) assert.deepEqual(await bus.publish(input), { status: 'duplicate' });
      assert.deepEqual(await bus.publish(newInput(thread, 'c')), { status: 'accepted', seq: 4, state: 'running' });
      letGo();
      await idle(bus, thread);
      assert.deepEqual(turns, [['active'], ['c']]);
    });

    it('lets a thread go of which nothing is left: queued, waiting for a retry, for a place or for its channel', async (t) => {
      const { bus } = await open(t, { places: { chat: 1, user: 1 } });
      const [queued, held, parked, delayed] = [newThreadId(), newThreadId(), newThreadId(), newThreadId()];
      await bus.pause('slack');
      await bus.publish(newInput(delayed, 'delayed', 'wecom/1'));
      let runs = 0;
      const working = await bus.work(
        handlerOf(async () => {
          runs++;
          return { kind: 'retry', delayMs: 3_600_000, error: 'not now' };
        }),
        workOptions,
      );
      await until('the retry', async () => (await bus.threadState(delayed)).state === 'delayed');
      await working.stop();
      await bus.publish(newInput(queued, 'queued'));
      await bus.publish(newInput(held, 'held'));
      await bus.publish(newInput(parked, 'parked', 'slack/1'));
      for (const thread of [queued, held, parked, delayed]) {
        assert.equal(await bus.clear(thread), 1);
        assert.deepEqual(await bus.threadState(thread), { state: 'idle', waiting: 0 });
      }
      const { queuedThreads, runningThreads, waitingInputs } = await bus.stats();
      assert.deepEqual([queuedThreads, runningThreads, waitingInputs, runs], [0, 0, 0, 1]);
    });
  });
}
