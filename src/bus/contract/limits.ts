import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Outgoing } from '../port.ts';
import { newDelivery, type OpenBus, sendOptions, unique, until } from './kit.ts';

/** The most calls within any window of `windowMs`. */
function mostWithin(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + windowMs).length));
}

/** How fast things go out: sliding windows over several scopes, and pauses. */
export function limitContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('keeps to every window of every scope, over all chats that share one', async (t) => {
      const { bus } = await open(t, {});
      // Handing over takes a while that differs from call to call, and the bus cannot see it all.
      const slackMs = 40;
      const [all, perChat] = [unique('all'), unique('chat')];
      const limits = (chat: string) => [
        { scope: all, count: 4, windowMs: 200 },
        { scope: `${perChat}:${chat}`, count: 1, windowMs: 80 },
      ];
      const times: { chat: string; at: number; text: string }[] = [];
      const chats = ['a', 'b', 'c', 'd', 'e', 'f'];
      await bus.outbox.enqueue(
        [0, 1].flatMap((n) => chats.map((chat) => newDelivery(`${chat}${n}`, { chat, limits: limits(chat) }))),
      );
      await bus.outbox.send(
        ['telegram'],
        async (outgoing: Outgoing) => {
          if (outgoing.kind === 'delivery')
            times.push({
              chat: outgoing.delivery.target.chat,
              at: performance.now(),
              text: outgoing.delivery.document.markdown,
            });
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await until('everything sent', async () => (await bus.stats()).pendingDeliveries === 0);
      assert.equal(times.length, 12);
      const at = times.map((time) => time.at);
      assert.ok(mostWithin(at, 200 - slackMs) <= 4, `times: ${at.map(Math.round)}`);
      for (const chat of chats) {
        const own = times.filter((time) => time.chat === chat);
        assert.deepEqual(
          own.map((time) => time.text),
          [`${chat}0`, `${chat}1`],
        );
        assert.ok(
          (own[1]?.at ?? 0) - (own[0]?.at ?? 0) >= 80 - slackMs,
          `${chat}: ${own.map((o) => Math.round(o.at))}`,
        );
      }
    });

    it('does not hold up a chat without limits behind one that is at its limit', async (t) => {
      const { bus } = await open(t, {});
      const limits = [{ scope: unique('slow'), count: 1, windowMs: 3_600_000 }];
      const sent: string[] = [];
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await bus.outbox.enqueue([newDelivery('s1', { chat: 's', limits }), newDelivery('s2', { chat: 's', limits })]);
      await until('the first', () => sent.length === 1);
      await bus.outbox.enqueue([newDelivery('f1', { chat: 'f' }), newDelivery('f2', { chat: 'f' })]);
      await until('the free chat', () => sent.length === 3);
      assert.deepEqual(sent, ['s1', 'f1', 'f2']);
      assert.equal(await bus.outbox.pending('telegram', 's'), 1);
    });

    it('pauses a whole scope when a retry says so, and nothing else', async (t) => {
      const { bus } = await open(t, {});
      const scope = unique('paused');
      const limits = [{ scope, count: 1_000, windowMs: 1_000 }];
      const tries: { text: string; at: number }[] = [];
      let first = true;
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind !== 'delivery') return { kind: 'sent' };
          tries.push({ text: outgoing.delivery.document.markdown, at: performance.now() });
          if (!first) return { kind: 'sent' };
          first = false;
          return { kind: 'retry', delayMs: 150, error: 'slow down', pause: scope };
        },
        { ...sendOptions, concurrency: 1 },
      );
      await bus.outbox.enqueue([newDelivery('a', { chat: 'a', limits })]);
      await until('the refusal', () => tries.length === 1);
      await bus.outbox.enqueue([newDelivery('b', { chat: 'b', limits }), newDelivery('free', { chat: 'c' })]);
      await until('everything sent', async () => (await bus.stats()).pendingDeliveries === 0);
      assert.deepEqual(tries.map((one) => one.text).slice(0, 2), ['a', 'free']);
      assert.deepEqual(
        tries
          .map((one) => one.text)
          .slice(2)
          .sort(),
        ['a', 'b'],
      );
      const since = tries.slice(2).map((one) => one.at - (tries[0]?.at ?? 0));
      assert.ok(
        since.every((ms) => ms >= 145),
        `after ${since.map(Math.round)} ms`,
      );
    });

    it('gives back the place in the window of what was refused', async (t) => {
      const { bus } = await open(t, {});
      const limits = [{ scope: unique('counted'), count: 1, windowMs: 3_600_000 }];
      const tries: number[] = [];
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') tries.push(outgoing.attempt);
          return tries.length === 1 ? { kind: 'retry', delayMs: 1, error: 'refused' } : { kind: 'sent' };
        },
        sendOptions,
      );
      await bus.outbox.enqueue([newDelivery('a', { limits })]);
      await until('the second try', () => tries.length === 2);
      await until('sent', async () => (await bus.stats()).pendingDeliveries === 0);
    });
  });
}
