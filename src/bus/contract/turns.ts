import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AntlerError } from '../../base/errors.ts';
import { newRunId } from '../../base/ids.ts';
import { abortReason } from '../abort.ts';
import type { Outgoing, Turn } from '../port.ts';
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

/** Long enough that a test which waits for it fails instead. */
const NEVER_MS = 3_600_000;

/** What becomes of a turn: commit, retry, release, giving up, cancelling. */
export function turnContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('hands out all that waits as one turn, and what comes later as the next', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: unknown[][] = [];
      const started = gate();
      const go = gate();
      await publishAll(bus, thread, [1, 2, 3]);
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          if (turns.length === 1) {
            started.open();
            await go.passed;
          }
          return done(turn);
        }),
        workOptions,
      );
      await started.passed;
      await publishAll(bus, thread, [4, 5]);
      go.open();
      await until('the second turn', () => turns.length === 2);
      await idle(bus, thread);
      assert.deepEqual(turns, [
        [1, 2, 3],
        [4, 5],
      ]);
    });

    it('leaves in the inbox what a commit did not acknowledge, and remembers the commit', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: { payloads: unknown[]; lastCommit: string | null }[] = [];
      const commits = [newRunId(), newRunId()];
      await publishAll(bus, thread, ['a', 'b', 'c']);
      await bus.work(
        handlerOf(async (turn) => {
          turns.push({ payloads: payloadsOf(turn), lastCommit: turn.lastCommit });
          const commit = commits[turns.length - 1] ?? newRunId();
          const upTo = turns.length === 1 ? turn.inputs[0] : turn.inputs.at(-1);
          return { kind: 'done', commit, ackSeq: upTo?.seq ?? 0, deliveries: [] };
        }),
        workOptions,
      );
      await idle(bus, thread);
      await bus.publish(newInput(thread, 'd'));
      await until('three turns', () => turns.length === 3);
      await idle(bus, thread);
      assert.deepEqual(turns, [
        { payloads: ['a', 'b', 'c'], lastCommit: null },
        { payloads: ['b', 'c'], lastCommit: commits[0] },
        { payloads: ['d'], lastCommit: commits[1] },
      ]);
    });

    it('acknowledges nothing that the turn was not handed', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: unknown[][] = [];
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          if (turns.length === 1) await bus.publish(newInput(thread, 'unseen'));
          return { kind: 'done', commit: newRunId(), ackSeq: 1_000, deliveries: [] };
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 'seen'));
      await until('the second turn', () => turns.length === 2);
      await idle(bus, thread);
      assert.deepEqual(turns, [['seen'], ['unseen']]);
    });

    it('says nothing twice when a turn is committed again under the same ids', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const commit = newRunId();
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
        handlerOf(async (turn) => ({
          kind: 'done',
          commit,
          ackSeq: turn.inputs.at(-1)?.seq ?? 0,
          deliveries: [newDelivery('the answer', { id: `${thread}:1:0` })],
        })),
        workOptions,
      );
      for (const payload of [1, 2, 3]) {
        await bus.publish(newInput(thread, payload));
        await idle(bus, thread);
      }
      await bus.outbox.enqueue([newDelivery('end')]);
      await until('the end', () => sent.includes('end'));
      assert.deepEqual(sent, ['the answer', 'end']);
    });

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

    it('cancels the run that is active, and only that', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      assert.equal(await bus.cancel(thread, 'stop'), false);
      const reasons: unknown[] = [];
      const started = [gate('first run'), gate('second run')];
      await bus.work(
        handlerOf(async (turn) => {
          const aborted = new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
          started[reasons.length]?.open();
          await aborted;
          assert.ok(turn.signal.reason instanceof AntlerError);
          assert.equal(turn.signal.reason.code, 'cancelled');
          reasons.push(abortReason(turn.signal));
          return done(turn);
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 'a'));
      await started[0]?.passed;
      assert.equal(await bus.cancel(newThreadId(), 'stop'), false);
      assert.equal(await bus.cancel(thread, 'stop'), true);
      await idle(bus, thread);
      assert.equal(await bus.cancel(thread, 'stop'), false);
      await bus.publish(newInput(thread, 'b'));
      await started[1]?.passed;
      assert.equal(await bus.cancel(thread, 'interrupt'), true);
      await idle(bus, thread);
      assert.deepEqual(reasons, ['stop', 'interrupt']);
    });

    it('cancels a run from another instance', async (t) => {
      const { bus, second } = await open(t, {});
      if (second === undefined) return t.skip('one instance only');
      const other = await second();
      const thread = newThreadId();
      const started = gate();
      const aborted = gate<unknown>();
      await bus.work(
        handlerOf(async (turn) => {
          turn.signal.addEventListener('abort', () => aborted.open(abortReason(turn.signal)), { once: true });
          started.open();
          await aborted.passed;
          return done(turn);
        }),
        workOptions,
      );
      await other.publish(newInput(thread, 'a'));
      await started.passed;
      assert.equal(await other.cancel(thread, 'stop'), true);
      assert.equal(await aborted.passed, 'stop');
      await idle(other, thread);
    });

    it('takes no more turns once it was told to stop, and finishes those that run', async (t) => {
      const { bus } = await open(t, {});
      const [running, waiting] = [newThreadId(), newThreadId()];
      const started = gate();
      const go = gate();
      const seen: unknown[] = [];
      const working = await bus.work(
        handlerOf(async (turn) => {
          started.open();
          await go.passed;
          seen.push(...payloadsOf(turn));
          return done(turn);
        }),
        workOptions,
      );
      await bus.publish(newInput(running, 'runs'));
      await started.passed;
      await working.stop();
      await bus.publish(newInput(waiting, 'waits'));
      go.open();
      await idle(bus, running);
      assert.deepEqual(await bus.threadState(waiting), { state: 'queued', waiting: 1 });
      assert.deepEqual(seen, ['runs']);
    });

    it('enqueues a commit that answers in several chats, each in its order', async (t) => {
      const { bus } = await open(t, {});
      const sent: [string, string][] = [];
      await bus.outbox.send(
        ['telegram', 'slack'],
        async (outgoing: Outgoing) => {
          if (outgoing.kind === 'delivery') sent.push([outgoing.delivery.channel, outgoing.delivery.document.markdown]);
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) =>
          done(turn, [
            newDelivery('1', { channel: 'telegram' }),
            newDelivery('2', { channel: 'slack' }),
            newDelivery('3', { channel: 'telegram' }),
            newDelivery('4', { channel: 'slack' }),
          ]),
        ),
        workOptions,
      );
      await bus.publish(newInput(newThreadId(), 'go'));
      await until('four deliveries', () => sent.length === 4);
      const of = (channel: string) => sent.filter((one) => one[0] === channel).map((one) => one[1]);
      assert.deepEqual(
        [of('telegram'), of('slack')],
        [
          ['1', '3'],
          ['2', '4'],
        ],
      );
    });
  });
}
