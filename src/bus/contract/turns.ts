import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newRunId } from '../../base/ids.ts';
import type { Outgoing } from '../port.ts';
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

/** What a turn is handed, and what its commit does. */
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

    it('tells the handler of each commit once it counts', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const told: unknown[] = [];
      const commits: unknown[] = [];
      await bus.work(
        {
          ...handlerOf(async (turn) => {
            const outcome = done(turn);
            if (commits.length === 1 && turn.attempt === 0) return { kind: 'retry', delayMs: 1, error: 'down' };
            if (outcome.kind === 'done') commits.push(outcome.commit);
            return outcome;
          }),
          committed: async (of, commit) => {
            assert.equal(of, thread);
            told.push(commit);
          },
        },
        workOptions,
      );
      for (const payload of ['a', 'b']) {
        await bus.publish(newInput(thread, payload));
        await idle(bus, thread);
      }
      await until('the second word', () => told.length === 2);
      assert.deepEqual(told, commits);
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
