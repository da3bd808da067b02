import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MessageBus } from '../port.ts';
import {
  done,
  gate,
  handlerOf,
  idle,
  newDelivery,
  newDraft,
  newInput,
  newThreadId,
  type OpenBus,
  payloadsOf,
  sendOptions,
  unique,
  until,
  workOptions,
} from './kit.ts';

async function workAndSend(bus: MessageBus): Promise<{ readonly seen: unknown[]; readonly sent: string[] }> {
  const seen: unknown[] = [];
  const sent: string[] = [];
  await bus.outbox.send(
    ['telegram', 'slack'],
    async (outgoing) => {
      if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
      return { kind: 'sent' };
    },
    sendOptions,
  );
  await bus.work(
    handlerOf(async (turn) => {
      seen.push(...payloadsOf(turn));
      return done(turn);
    }),
    { ...workOptions, concurrency: 1 },
  );
  return { seen, sent };
}

/** Channels that an admin holds still for a while. */
export function pauseContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('holds the turns and deliveries of a paused channel, and of no other', async (t) => {
      const { bus } = await open(t, {});
      const [held, free] = [newThreadId(), newThreadId()];
      assert.deepEqual(await bus.paused(), []);
      await bus.pause('telegram');
      await bus.pause('telegram');
      await bus.pause('slack');
      await bus.resume('slack');
      assert.deepEqual(await bus.paused(), ['telegram']);
      const { seen, sent } = await workAndSend(bus);
      for (const n of [1, 2]) await bus.publish(newInput(held, n, 'telegram/1'));
      await bus.outbox.enqueue([newDelivery('t1'), newDelivery('t2')]);
      await bus.publish(newInput(free, 'free', 'slack/1'));
      await bus.outbox.enqueue([newDelivery('s1', { channel: 'slack' }), newDelivery('s2', { channel: 'slack' })]);
      await idle(bus, free);
      await until('the other channel', () => sent.length === 2);
      assert.deepEqual([seen, sent], [['free'], ['s1', 's2']]);
      assert.deepEqual(await bus.threadState(held), { state: 'queued', waiting: 2 });
      assert.equal(await bus.outbox.pending('telegram', '1'), 2);
      await bus.resume('telegram');
      await bus.resume('telegram');
      assert.deepEqual(await bus.paused(), []);
      await idle(bus, held);
      await until('what was held', () => sent.length === 4);
      assert.deepEqual(
        [seen.slice(1), sent.slice(2)],
        [
          [1, 2],
          ['t1', 't2'],
        ],
      );
    });

    it('holds what waited before the pause, and goes on in order', async (t) => {
      const { bus, second } = await open(t, {});
      const other = second === undefined ? bus : await second();
      const threads = Array.from({ length: 3 }, newThreadId);
      for (const thread of threads)
        for (const n of [0, 1, 2]) await bus.publish({ ...newInput(thread, [thread, n]), busy: 'queue' });
      await bus.outbox.enqueue(['a', 'b', 'c'].map((text) => newDelivery(text)));
      await other.pause('telegram');
      const { seen, sent } = await workAndSend(bus);
      const free = newThreadId();
      await other.publish(newInput(free, 'free', 'slack/1'));
      await other.outbox.enqueue([newDelivery('free', { channel: 'slack' })]);
      await idle(bus, free);
      await until('the other channel', () => sent.length === 1);
      assert.deepEqual([seen, sent], [['free'], ['free']]);
      await other.resume('telegram');
      for (const thread of threads) await idle(bus, thread);
      await until('the deliveries', () => sent.length === 4);
      for (const thread of threads)
        assert.deepEqual(
          seen.filter((payload) => Array.isArray(payload) && payload[0] === thread),
          [0, 1, 2].map((n) => [thread, n]),
        );
      assert.deepEqual(sent.slice(1), ['a', 'b', 'c']);
    });

    it('lets what is active end, and keeps what it says until the resume', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const started = gate();
      const go = gate();
      const turns: unknown[][] = [];
      const out: string[] = [];
      await bus.outbox.send(
        ['telegram', 'slack'],
        async (outgoing) => {
          out.push(outgoing.kind === 'delivery' ? outgoing.delivery.document.markdown : 'draft');
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          started.open();
          await go.passed;
          await turn.draft(newDraft(unique('stream'), 'unfinished'));
          return done(turn, [newDelivery(`answer ${turns.length}`)]);
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 1));
      await started.passed;
      await bus.publish(newInput(thread, 2));
      await bus.pause('telegram');
      go.open();
      await until('the commit', async () => (await bus.threadState(thread)).waiting === 1);
      await bus.outbox.enqueue([newDelivery('free', { channel: 'slack' })]);
      await until('the other channel', () => out.length > 0);
      assert.deepEqual([turns, out], [[[1]], ['free']]);
      await bus.resume('telegram');
      await until('both answers', () => out.filter((text) => text !== 'draft').length === 3);
      assert.deepEqual(turns, [[1], [2]]);
      assert.deepEqual(
        out.filter((text) => text !== 'draft'),
        ['free', 'answer 1', 'answer 2'],
      );
    });

    it('shows a draft of a run that is still on after the resume', async (t) => {
      const { bus } = await open(t, {});
      const stream = unique('stream');
      const out: string[] = [];
      const started = gate();
      const paused = gate();
      const drafted = gate();
      await bus.outbox.send(
        ['telegram', 'slack'],
        async (outgoing) => {
          out.push(
            outgoing.kind === 'delivery'
              ? outgoing.delivery.document.markdown
              : `draft ${outgoing.draft.parts[0]?.markdown}`,
          );
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) => {
          started.open();
          await paused.passed;
          await turn.draft(newDraft(stream, 'old'));
          await turn.draft(newDraft(stream, 'new'));
          drafted.open();
          await until('the draft', () => out.includes('draft new'));
          return done(turn);
        }),
        workOptions,
      );
      const thread = newThreadId();
      await bus.publish(newInput(thread, 1));
      await started.passed;
      await bus.pause('telegram');
      paused.open();
      await drafted.passed;
      await bus.outbox.enqueue([newDelivery('free', { channel: 'slack' })]);
      await until('the other channel', () => out.length > 0);
      assert.deepEqual(out, ['free']);
      await bus.resume('telegram');
      await idle(bus, thread);
      assert.deepEqual(out, ['free', 'draft new']);
    });

    it('holds a retry that falls due in the pause', async (t) => {
      const { bus } = await open(t, {});
      const [thread, free] = [newThreadId(), newThreadId()];
      const attempts = new Map<string, number>();
      await bus.work(
        handlerOf(async (turn) => {
          attempts.set(turn.thread, turn.attempt);
          return turn.attempt === 0 ? { kind: 'retry', delayMs: 400, error: 'down' } : done(turn);
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 'held'));
      await until('the wait', async () => (await bus.threadState(thread)).state === 'delayed');
      await bus.pause('telegram');
      // Its retry falls due later than the one that is held.
      await bus.publish(newInput(free, 'free', 'slack/1'));
      await idle(bus, free);
      assert.deepEqual([attempts.get(free), attempts.get(thread)], [1, 0]);
      assert.equal((await bus.threadState(thread)).waiting, 1);
      await bus.resume('telegram');
      await idle(bus, thread);
      assert.equal(attempts.get(thread), 1);
    });

    it('stays paused over a restart', async (t) => {
      const { bus, reopen } = await open(t, {});
      if (reopen === undefined) return t.skip('cannot be opened again');
      const [held, free] = [newThreadId(), newThreadId()];
      await bus.pause('telegram');
      await bus.pause('feishu');
      await bus.publish(newInput(held, 'held'));
      await bus.outbox.enqueue([newDelivery('held')]);
      const again = await reopen();
      assert.deepEqual(await again.paused(), ['feishu', 'telegram']);
      const { seen, sent } = await workAndSend(again);
      await again.publish(newInput(free, 'free', 'slack/1'));
      await again.outbox.enqueue([newDelivery('free', { channel: 'slack' })]);
      await idle(again, free);
      await until('the other channel', () => sent.length === 1);
      assert.deepEqual([seen, sent], [['free'], ['free']]);
      await again.resume('telegram');
      await idle(again, held);
      await until('what was held', () => sent.length === 2);
      assert.deepEqual(
        [seen, sent],
        [
          ['free', 'held'],
          ['free', 'held'],
        ],
      );
    });
  });
}
