import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  done,
  gate,
  handlerOf,
  idle,
  newDelivery,
  newInput,
  newThreadId,
  type OpenBus,
  payloadsOf,
  publishAll,
  sendOptions,
  until,
  workOptions,
} from './kit.ts';

/** Publishing: durable, in order, once, bounded, and never without a wake-up. */
export function inboxContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('keeps what was published before anybody works, in order, payload unchanged', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const payload = { text: '谢谢 \u0000\n"', files: [{ id: 'f', bytes: 3 }], empty: null, deep: { list: [] } };
      const first = newInput(thread, payload);
      assert.deepEqual(await bus.publish(first), { status: 'accepted', seq: 1, state: 'idle' });
      assert.deepEqual(await bus.publish(newInput(thread, 2)), { status: 'accepted', seq: 2, state: 'queued' });
      assert.deepEqual(await bus.threadState(thread), { state: 'queued', waiting: 2 });
      const turn = gate<unknown>();
      await bus.work(
        handlerOf(async (given) => {
          turn.open({ inputs: given.inputs, chat: given.chat, thread: given.thread, attempt: given.attempt });
          return done(given);
        }),
        workOptions,
      );
      const seen = (await turn.passed) as { inputs: { seq: number; payload: unknown; at: number }[]; chat: string };
      assert.deepEqual(
        seen.inputs.map((input) => [input.seq, input.payload]),
        [
          [1, payload],
          [2, 2],
        ],
      );
      assert.equal(seen.inputs[0]?.at, first.at);
      assert.deepEqual(seen, { inputs: seen.inputs, chat: first.chat, thread, attempt: 0 });
      await idle(bus, thread);
      assert.deepEqual(await bus.threadState(thread), { state: 'idle', waiting: 0 });
    });

    it('knows nothing of a thread that never was', async (t) => {
      const { bus } = await open(t, {});
      assert.deepEqual(await bus.threadState(newThreadId()), { state: 'idle', waiting: 0 });
    });

    it('runs a thread in order and never twice at once, and threads beside each other', async (t) => {
      const { bus } = await open(t, {});
      const threads = Array.from({ length: 20 }, newThreadId);
      const seen = new Map<string, unknown[]>(threads.map((thread) => [thread, []]));
      const active = new Set<string>();
      let overlaps = 0;
      let most = 0;
      await bus.work(
        handlerOf(async (turn) => {
          if (active.has(turn.thread)) overlaps++;
          active.add(turn.thread);
          most = Math.max(most, active.size);
          await new Promise((resolve) => setTimeout(resolve, 3));
          seen.get(turn.thread)?.push(...payloadsOf(turn));
          active.delete(turn.thread);
          return done(turn);
        }),
        workOptions,
      );
      await Promise.all(
        threads.map((thread, i) =>
          publishAll(
            bus,
            thread,
            Array.from({ length: 10 }, (_, n) => n),
            `telegram/${i}`,
          ),
        ),
      );
      for (const thread of threads) await idle(bus, thread);
      for (const [, payloads] of seen) assert.deepEqual(payloads, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      assert.equal(overlaps, 0);
      assert.ok(most > 1, `${most} at once`);
      assert.ok(most <= workOptions.concurrency, `${most} at once`);
    });

    it('keeps a second instance away from a running thread, and lets both work', async (t) => {
      const { bus, second } = await open(t, {});
      if (second === undefined) return t.skip('one instance only');
      const other = await second();
      const active = new Set<string>();
      const seen = new Map<string, unknown[]>();
      const workers = new Set<string>();
      let overlaps = 0;
      const work = (worker: string) =>
        handlerOf(async (turn) => {
          if (active.has(turn.thread)) overlaps++;
          active.add(turn.thread);
          workers.add(worker);
          await new Promise((resolve) => setTimeout(resolve, 5));
          seen.set(turn.thread, [...(seen.get(turn.thread) ?? []), ...payloadsOf(turn)]);
          active.delete(turn.thread);
          return done(turn);
        });
      await bus.work(work('a'), { ...workOptions, concurrency: 2 });
      await other.work(work('b'), { ...workOptions, concurrency: 2 });
      const threads = Array.from({ length: 12 }, newThreadId);
      await Promise.all(
        threads.map((thread, i) => publishAll(i % 2 === 0 ? bus : other, thread, [1, 2, 3, 4, 5], `telegram/${i}`)),
      );
      for (const thread of threads) await idle(bus, thread);
      for (const thread of threads) assert.deepEqual(seen.get(thread), [1, 2, 3, 4, 5]);
      assert.equal(overlaps, 0);
      assert.deepEqual([...workers].sort(), ['a', 'b']);
    });

    it('lets a quiet chat in between the threads of a noisy one', async (t) => {
      const { bus } = await open(t, {});
      const order: unknown[] = [];
      const started = gate();
      const go = gate();
      const run = handlerOf(async (turn) => {
        if (order.length === 0) {
          started.open();
          await go.passed;
        }
        order.push(...payloadsOf(turn));
        return done(turn);
      });
      for (let i = 0; i < 30; i++) await bus.publish(newInput(newThreadId(), 'noisy', 'telegram/noisy'));
      await bus.work(run, { ...workOptions, concurrency: 1 });
      await started.passed;
      const quiet = newThreadId();
      await bus.publish(newInput(quiet, 'quiet', 'telegram/quiet'));
      go.open();
      await until('all turns', () => order.length === 31);
      assert.ok(order.indexOf('quiet') <= 5, `the quiet chat came at place ${order.indexOf('quiet')}`);
    });

    it('accepts a message once, also when it comes twice at the same time or after it was answered', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const input = newInput(thread, 'once');
      const answers = await Promise.all([bus.publish(input), bus.publish(input), bus.publish(input)]);
      assert.deepEqual(answers.map((answer) => answer.status).sort(), ['accepted', 'duplicate', 'duplicate']);
      assert.equal((await bus.threadState(thread)).waiting, 1);
      const turns: unknown[] = [];
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          return done(turn);
        }),
        workOptions,
      );
      await idle(bus, thread);
      assert.deepEqual(await bus.publish(input), { status: 'duplicate' });
      assert.deepEqual(await bus.publish({ ...input, thread: newThreadId() }), { status: 'duplicate' });
      await bus.publish(newInput(thread, 'after'));
      await until('the next turn', () => turns.length === 2);
      assert.deepEqual(turns, [['once'], ['after']]);
    });

    it('refuses what is over the bound, and takes it when there is room again', async (t) => {
      const { bus } = await open(t, { maxInbox: 3 });
      const thread = newThreadId();
      await publishAll(bus, thread, [1, 2, 3]);
      const fourth = newInput(thread, 4);
      assert.deepEqual(await bus.publish(fourth), { status: 'full' });
      assert.equal((await bus.publish(newInput(newThreadId(), 'elsewhere'))).status, 'accepted');
      await bus.work(
        handlerOf(async (turn) => done(turn)),
        workOptions,
      );
      await idle(bus, thread);
      const answer = await bus.publish(fourth);
      assert.equal(answer.status, 'accepted');
      await idle(bus, thread);
    });

    it('loses no wake-up when a message lands as the run ends', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const seen: unknown[] = [];
      let ending: (() => void) | undefined;
      await bus.work(
        handlerOf(async (turn) => {
          seen.push(...payloadsOf(turn));
          const outcome = done(turn);
          // The next message is published as the commit of this one is on its way.
          ending?.();
          return outcome;
        }),
        workOptions,
      );
      for (let round = 0; round < 150; round++) {
        const before = seen.length;
        const racing = gate();
        ending = () => {
          ending = undefined;
          const publish = () => void bus.publish(newInput(thread, `late ${round}`)).then(() => racing.open());
          // Spread over the ways in which the two can fall together.
          if (round % 3 === 0) publish();
          else if (round % 3 === 1) setImmediate(publish);
          else setTimeout(publish, round % 4);
        };
        await bus.publish(newInput(thread, `first ${round}`));
        await racing.passed;
        await until(`round ${round}`, () => seen.length === before + 2);
      }
      await idle(bus, thread);
      assert.deepEqual(seen, Array.from({ length: 150 }, (_, round) => [`first ${round}`, `late ${round}`]).flat());
    });

    it('tells how the message found its thread, and what waits', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const started = gate();
      const go = gate();
      await bus.work(
        handlerOf(async (turn) => {
          started.open();
          await go.passed;
          return done(turn, [newDelivery('answer')]);
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 1));
      await started.passed;
      assert.deepEqual(await bus.publish(newInput(thread, 2)), { status: 'accepted', seq: 2, state: 'running' });
      assert.deepEqual(await bus.threadState(thread), { state: 'running', waiting: 2 });
      const stats = await bus.stats();
      assert.deepEqual(
        { ...stats },
        { queuedThreads: 0, runningThreads: 1, waitingInputs: 2, pendingDeliveries: 0, deadLetters: 0 },
      );
      go.open();
      await idle(bus, thread);
      assert.deepEqual(
        { ...(await bus.stats()) },
        { queuedThreads: 0, runningThreads: 0, waitingInputs: 0, pendingDeliveries: 2, deadLetters: 0 },
      );
      await bus.check();
    });

    it('still has inbox, dedupe keys and outbox after it was closed and opened again', async (t) => {
      const { bus, reopen } = await open(t, {});
      if (reopen === undefined) return t.skip('cannot be opened again');
      const thread = newThreadId();
      const input = newInput(thread, 'before');
      await bus.publish(input);
      await bus.outbox.enqueue([newDelivery('waits', { id: 'stays' })]);
      const again = await reopen();
      assert.deepEqual(await again.threadState(thread), { state: 'queued', waiting: 1 });
      assert.deepEqual(await again.publish(input), { status: 'duplicate' });
      assert.equal((await again.publish(newInput(thread, 'after'))).status, 'accepted');
      const turn = gate<unknown[]>();
      await again.work(
        handlerOf(async (given) => {
          turn.open(payloadsOf(given));
          return done(given);
        }),
        workOptions,
      );
      assert.deepEqual(await turn.passed, ['before', 'after']);
      const sent: string[] = [];
      await again.outbox.enqueue([newDelivery('waits', { id: 'stays' }), newDelivery('next')]);
      await again.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await until('both sent', async () => (await again.outbox.pending('telegram', '1')) === 0);
      assert.deepEqual(sent, ['waits', 'next']);
    });
  });
}
