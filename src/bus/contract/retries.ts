import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AntlerError } from '../../base/errors.ts';
import type { Turn } from '../port.ts';
import {
  done,
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

/** Long enough that a test which waits for it fails instead. */
const NEVER_MS = 3_600_000;

/** Turns that do not end well: tried again, handed back, given up. */
export function retryContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('tries again after the delay with all inputs, counting the attempts', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: { payloads: unknown[]; attempt: number; at: number }[] = [];
      await publishAll(bus, thread, ['a', 'b']);
      await bus.work(
        handlerOf(async (turn) => {
          turns.push({ payloads: payloadsOf(turn), attempt: turn.attempt, at: Date.now() });
          if (turns.length === 1) return { kind: 'retry', delayMs: 120, error: 'model is busy' };
          return done(turn);
        }),
        workOptions,
      );
      await until('the wait', async () => (await bus.threadState(thread)).state === 'delayed');
      assert.equal((await bus.threadState(thread)).waiting, 2);
      await idle(bus, thread);
      assert.deepEqual(
        turns.map(({ payloads, attempt }) => [payloads, attempt]),
        [
          [['a', 'b'], 0],
          [['a', 'b'], 1],
        ],
      );
      const waited = (turns[1]?.at ?? 0) - (turns[0]?.at ?? 0);
      assert.ok(waited >= 115, `waited ${waited} ms`);
      await bus.publish(newInput(thread, 'c'));
      await until('the next turn', () => turns.length === 3);
      assert.equal(turns[2]?.attempt, 0);
      await idle(bus, thread);
    });

    it('gives nothing up while what is nobody’s fault passes, and counts the other failures', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const attempts: number[] = [];
      await bus.work(
        handlerOf(async (turn) => {
          attempts.push(turn.attempt);
          if (attempts.length > 5) return done(turn);
          return { kind: 'retry', delayMs: 1, error: 'down', isBlameless: attempts.length !== 2 };
        }),
        { ...workOptions, maxAttempts: 2 },
      );
      await bus.publish(newInput(thread, 'a'));
      await until('the end', () => attempts.length === 6);
      await idle(bus, thread);
      assert.deepEqual(attempts, [0, 0, 1, 1, 1, 1]);
      assert.deepEqual(await bus.deadLetters.list(10), []);
    });

    it('ends the wait for a retry when a message comes', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: unknown[][] = [];
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          return turns.length === 1 ? { kind: 'retry', delayMs: NEVER_MS, error: 'down' } : done(turn);
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 'a'));
      await until('the wait', async () => (await bus.threadState(thread)).state === 'delayed');
      const answer = await bus.publish(newInput(thread, 'b'));
      assert.deepEqual(answer, { status: 'accepted', seq: 2, state: 'queued' });
      await idle(bus, thread);
      assert.deepEqual(turns, [['a'], ['a', 'b']]);
    });

    it('does not wait at all when the message came while the failing run was on', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: unknown[][] = [];
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          if (turns.length > 1) return done(turn);
          await bus.publish(newInput(thread, 'b'));
          return { kind: 'retry', delayMs: NEVER_MS, error: 'down' };
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 'a'));
      await until('the second turn', () => turns.length === 2);
      await idle(bus, thread);
      assert.deepEqual(turns, [['a'], ['a', 'b']]);
    });

    it('takes what a handler throws as a retry, after the time that the error asks for', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const attempts: number[] = [];
      await bus.work(
        handlerOf(async (turn) => {
          attempts.push(turn.attempt);
          if (attempts.length === 1)
            throw new AntlerError('unavailable', 'down', { retryable: true, retryAfterMs: 10 });
          return done(turn);
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 'a'));
      await until('the second attempt', () => attempts.length === 2);
      await idle(bus, thread);
      assert.deepEqual(attempts, [0, 1]);
    });

    it('hands a released turn out again at once, without counting it', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const attempts: number[] = [];
      await bus.work(
        handlerOf(async (turn) => {
          attempts.push(turn.attempt);
          return attempts.length <= 5 ? { kind: 'release' } : done(turn);
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 'a'));
      await until('the sixth turn', () => attempts.length === 6);
      await idle(bus, thread);
      assert.deepEqual(attempts, [0, 0, 0, 0, 0, 0]);
    });

    it('gives a turn up after its attempts: dead letter, a word to the sender, and the thread goes on', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const given: { payloads: unknown[]; attempt: number; error: string; chat: string }[] = [];
      const runs: unknown[][] = [];
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
        {
          run: async (turn) => {
            runs.push(payloadsOf(turn));
            if (payloadsOf(turn).includes('poison')) return { kind: 'retry', delayMs: 1, error: 'bad words' };
            return done(turn, [newDelivery(`answer to ${payloadsOf(turn)}`)]);
          },
          giveUp: async (turn, error) => {
            given.push({ payloads: payloadsOf(turn), attempt: turn.attempt, error, chat: turn.chat });
            return [newDelivery('sorry')];
          },
        },
        { ...workOptions, maxAttempts: 3 },
      );
      await bus.publish(newInput(thread, 'poison'));
      await idle(bus, thread);
      await bus.publish(newInput(thread, 'fine'));
      await until('both deliveries', () => sent.length === 2);
      assert.deepEqual(runs, [['poison'], ['poison'], ['poison'], ['fine']]);
      assert.deepEqual(given, [{ payloads: ['poison'], attempt: 3, error: 'bad words', chat: 'telegram/1' }]);
      assert.deepEqual(sent, ['sorry', 'answer to fine']);
      const [letter, ...more] = await bus.deadLetters.list(10);
      assert.deepEqual(more, []);
      assert.ok(letter !== undefined);
      assert.equal(letter.kind, 'turn');
      assert.equal(letter?.thread, thread);
      assert.equal(letter?.error, 'bad words');
      assert.deepEqual(
        (letter.content as Turn['inputs']).map((input) => input.payload),
        ['poison'],
      );
    });

    it('keeps the inputs of a turn whose giving up fails, too', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      await bus.work(
        handlerOf(
          async () => ({ kind: 'retry', delayMs: 1, error: 'bad' }),
          async () => {
            throw new Error('no words');
          },
        ),
        { ...workOptions, maxAttempts: 1 },
      );
      await bus.publish(newInput(thread, 'poison'));
      await until('the dead letter', async () => (await bus.stats()).deadLetters === 1);
      await idle(bus, thread);
    });
  });
}
