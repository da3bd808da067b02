import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ThreadId } from '../../base/ids.ts';
import type { NewInput, Turn } from '../port.ts';
import {
  done,
  type Gate,
  gate,
  handlerOf,
  idle,
  newInput,
  newThreadId,
  type OpenBus,
  payloadsOf,
  until,
  workOptions,
} from './kit.ts';

const MANY = 100;
const from = (user: string, thread: ThreadId, payload: unknown, chat: string): NewInput => ({
  ...newInput(thread, payload, chat),
  user,
});

/** Counts how many turns are active at once by a name that they have in common. */
function crowd(nameOf: (turn: Turn) => string) {
  const active = new Map<string, number>();
  const most = new Map<string, number>();
  return {
    most,
    run: async (turn: Turn, ms: number): Promise<void> => {
      const name = nameOf(turn);
      const now = (active.get(name) ?? 0) + 1;
      active.set(name, now);
      most.set(name, Math.max(now, most.get(name) ?? 0));
      await new Promise((resolve) => setTimeout(resolve, ms));
      active.set(name, (active.get(name) ?? 1) - 1);
    },
  };
}

/** Does it still not hold after so many milliseconds? Then the bus keeps somebody waiting on purpose. */
function delayed(ms: number, holds: () => boolean): () => boolean {
  const at = performance.now() + ms;
  return () => !holds() && performance.now() >= at;
}

/** Fairness: no chat and no user has more than its places. */
export function placeContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('keeps a chat to its places, in the order of arrival, and lets other chats in meanwhile', async (t) => {
      const { bus } = await open(t, { places: { chat: 1, user: MANY } });
      const noisy = Array.from({ length: 4 }, newThreadId);
      const seen: unknown[] = [];
      const started = gate();
      const go = gate();
      await bus.work(
        handlerOf(async (turn) => {
          if (turn.chat === 'telegram/noisy') {
            started.open();
            await go.passed;
          }
          seen.push(...payloadsOf(turn));
          return done(turn);
        }),
        workOptions,
      );
      for (const [n, thread] of noisy.entries()) {
        await bus.publish(newInput(thread, n, 'telegram/noisy'));
        // The bus's clock is no finer than this: what comes within one tick has no order.
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
      await started.passed;
      for (const n of [1, 2, 3]) {
        const quiet = newThreadId();
        await bus.publish(newInput(quiet, `quiet ${n}`, `telegram/quiet${n}`));
        await idle(bus, quiet);
      }
      assert.deepEqual(await bus.threadState(noisy[3] ?? newThreadId()), { state: 'queued', waiting: 1 });
      const { queuedThreads, runningThreads } = await bus.stats();
      assert.deepEqual([queuedThreads, runningThreads], [3, 1]);
      go.open();
      for (const thread of noisy) await idle(bus, thread);
      assert.deepEqual(seen, ['quiet 1', 'quiet 2', 'quiet 3', 0, 1, 2, 3]);
    });

    it('keeps a chat to its places over several instances', async (t) => {
      const { bus, second } = await open(t, { places: { chat: 2, user: MANY } });
      const other = second === undefined ? null : await second();
      const chats = crowd((turn) => turn.chat);
      const handler = handlerOf(async (turn) => {
        await chats.run(turn, 5);
        return done(turn);
      });
      const threads = Array.from({ length: 16 }, newThreadId);
      await bus.work(handler, workOptions);
      await other?.work(handler, workOptions);
      await Promise.all(
        threads.flatMap((thread, n) =>
          [1, 2].map((payload) => bus.publish(newInput(thread, payload, `telegram/${n % 2}`))),
        ),
      );
      for (const thread of threads) await idle(bus, thread);
      assert.deepEqual([...chats.most.keys()].sort(), ['telegram/0', 'telegram/1']);
      for (const [chat, count] of chats.most) assert.ok(count <= 2, `${chat} had ${count} at once`);
    });

    it('keeps a user to their places over all chats, and lets others in the same chats in', async (t) => {
      const { bus } = await open(t, { places: { chat: MANY, user: 1 } });
      const seen: unknown[] = [];
      const started = gate();
      const go = gate();
      await bus.work(
        handlerOf(async (turn) => {
          if (payloadsOf(turn).some((payload) => String(payload).startsWith('alice'))) {
            started.open();
            await go.passed;
          }
          seen.push(...payloadsOf(turn));
          return done(turn);
        }),
        workOptions,
      );
      const alice = Array.from({ length: 3 }, newThreadId);
      for (const [n, thread] of alice.entries())
        await bus.publish(from('telegram//alice', thread, `alice ${n}`, `telegram/${n}`));
      await started.passed;
      for (const n of [0, 1, 2]) {
        const thread = newThreadId();
        await bus.publish(from(`telegram//bob${n}`, thread, `bob ${n}`, `telegram/${n}`));
        await idle(bus, thread);
      }
      go.open();
      for (const thread of alice) await idle(bus, thread);
      assert.deepEqual(seen, ['bob 0', 'bob 1', 'bob 2', 'alice 0', 'alice 1', 'alice 2']);
    });

    it('never exceeds either bound, and leaves nobody waiting, whoever speaks where', async (t) => {
      const { bus } = await open(t, { places: { chat: 2, user: 2 } });
      const chats = crowd((turn) => turn.chat);
      const users = crowd((turn) => String(turn.inputs[0]?.payload));
      await bus.work(
        handlerOf(async (turn) => {
          await Promise.all([chats.run(turn, 3), users.run(turn, 3)]);
          return turn.attempt === 0 && turn.inputs[0]?.seq === 1
            ? { kind: 'retry', delayMs: 4, error: 'once' }
            : done(turn);
        }),
        workOptions,
      );
      const threads = Array.from({ length: 30 }, (_, n) => ({
        thread: newThreadId(),
        user: `user${n % 5}`,
        chat: `telegram/${n % 3}`,
      }));
      const inputs = threads.map(
        ({ thread, user, chat }) =>
          () =>
            from(user, thread, user, chat),
      );
      await Promise.all([...inputs, ...inputs].map((input) => bus.publish(input())));
      for (const { thread } of threads) await idle(bus, thread);
      for (const { most } of [chats, users])
        for (const [who, count] of most) assert.ok(count <= 2, `${who} had ${count} at once`);
      const { queuedThreads, runningThreads, waitingInputs } = await bus.stats();
      assert.deepEqual([queuedThreads, runningThreads, waitingInputs], [0, 0, 0]);
    });

    it('gives no place to what waits for a retry, for more of a burst, or for the end of a pause', async (t) => {
      const { bus } = await open(t, { places: { chat: 1, user: 1 } });
      const [failing, bursting, held, served] = [newThreadId(), newThreadId(), newThreadId(), newThreadId()];
      const me = 'telegram//me';
      const longQuiet = { whenIdleMs: 3_600_000, whenBusyMs: 3_600_000, mostMs: 3_600_000 };
      await bus.work(
        handlerOf(async (turn) =>
          turn.thread === failing ? { kind: 'retry', delayMs: 3_600_000, error: 'down' } : done(turn),
        ),
        workOptions,
      );
      await bus.pause('slack');
      await bus.publish(from(me, failing, 1, 'telegram/1'));
      await until('the wait', async () => (await bus.threadState(failing)).state === 'delayed');
      await bus.publish({ ...from(me, bursting, 1, 'telegram/1'), quiet: longQuiet });
      await bus.publish(from(me, held, 1, 'slack/1'));
      await bus.publish(from(me, served, 1, 'telegram/1'));
      await idle(bus, served);
      assert.deepEqual(await bus.threadState(bursting), { state: 'queued', waiting: 1 });
      assert.deepEqual(await bus.threadState(held), { state: 'queued', waiting: 1 });
      await bus.resume('slack');
      await idle(bus, held);
    });

    it('does not pass a thread over for ever whose chat and whose user have a place by turns', async (t) => {
      const { bus } = await open(t, { places: { chat: 1, user: 1 } });
      const gates = new Map<string, Gate>();
      const started: string[] = [];
      await bus.work(
        handlerOf(async (turn) => {
          const [name] = payloadsOf(turn).map(String);
          started.push(name ?? '');
          await gates.get(name ?? '')?.passed;
          return done(turn);
        }),
        workOptions,
      );
      const publish = async (name: string, user: string, chat: string): Promise<void> => {
        gates.set(name, gate(name));
        await bus.publish(from(user, newThreadId(), name, chat));
        // The bus's clock is no finer than this: what comes within one tick has no order.
        await new Promise((resolve) => setTimeout(resolve, 3));
      };
      const runs = (name: string): Promise<void> => until(`${name} runs`, () => started.includes(name));
      await publish('ann 0', 'ann', 'telegram/y');
      await publish('bob 0', 'bob', 'telegram/x');
      await Promise.all([runs('ann 0'), runs('bob 0')]);
      await publish('unlucky', 'ann', 'telegram/x');
      gates.get('unlucky')?.open();
      // Whenever its user's place is free, its chat's is taken, and the other way round.
      for (let n = 0; n < 10 && !started.includes('unlucky'); n++) {
        await publish(`ann ${n + 1}`, 'ann', 'telegram/y');
        gates.get(`ann ${n}`)?.open();
        await until('the next of ann', () => started.includes(`ann ${n + 1}`) || started.includes('unlucky'));
        await publish(`bob ${n + 1}`, 'bob', 'telegram/x');
        gates.get(`bob ${n}`)?.open();
        const kept = delayed(100, () => started.includes(`bob ${n + 1}`));
        await until('the next of bob', () => started.includes(`bob ${n + 1}`) || kept());
      }
      for (const one of gates.values()) one.open();
      await until('all have run', async () => (await bus.stats()).waitingInputs === 0);
      const others = started.length - 1;
      assert.ok(started.indexOf('unlucky') < others - 2, `${started}`);
    });

    it('refuses by policy reject what would have to wait behind a thread without a place', async (t) => {
      const { bus } = await open(t, { places: { chat: 1, user: MANY } });
      const [first, second] = [newThreadId(), newThreadId()];
      for (const thread of [first, second]) await bus.publish(newInput(thread, 1));
      assert.deepEqual(await bus.publish({ ...newInput(second, 2), busy: 'reject' }), { status: 'busy' });
    });

    it('frees the places of a worker that died', async (t) => {
      const { bus, crash } = await open(t, { places: { chat: 1, user: 1 } });
      if (crash === undefined) return t.skip('cannot crash');
      const [first, second] = [newThreadId(), newThreadId()];
      const started = gate();
      const dead = gate();
      const options = { ...workOptions, leaseMs: 500 };
      await bus.work(
        handlerOf(async (turn) => {
          started.open();
          await dead.passed;
          return done(turn);
        }),
        options,
      );
      await bus.publish(newInput(first, 'first'));
      await started.passed;
      await bus.publish(newInput(second, 'second'));
      const after = await crash();
      const seen: unknown[] = [];
      await after.work(
        handlerOf(async (turn) => {
          seen.push(...payloadsOf(turn));
          dead.open();
          return done(turn);
        }),
        options,
      );
      await idle(after, second);
      await idle(after, first);
      assert.deepEqual([...seen].sort(), ['first', 'second']);
    });
  });
}
