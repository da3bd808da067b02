import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { abortReason } from '../abort.ts';
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
  sendOptions,
  until,
  workOptions,
} from './kit.ts';

/** A bus that is closed drains, hands over what it cannot finish, and leaves nothing running. */
export function closeContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('ends the turn that is under way and says what is ready to be said, and takes no other turn', async (t) => {
      const { bus, reopen } = await open(t, {});
      if (reopen === undefined) return t.skip('cannot be opened again');
      const [thread, later] = [newThreadId(), newThreadId()];
      const turnStarted = gate();
      const sendStarted = gate();
      const go = gate();
      const ran: unknown[] = [];
      const sent: string[] = [];
      await bus.outbox.enqueue([newDelivery('first'), newDelivery('second')]);
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          sendStarted.open();
          await go.passed;
          if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await bus.work(
        handlerOf(async (turn) => {
          turnStarted.open();
          await go.passed;
          ran.push(...payloadsOf(turn));
          return done(turn, [newDelivery('answer')]);
        }),
        { ...workOptions, concurrency: 1 },
      );
      await bus.publish(newInput(thread, 'runs'));
      await turnStarted.passed;
      await sendStarted.passed;
      await bus.publish(newInput(later, 'waits'));
      const closing = reopen();
      setTimeout(() => go.open(), 30);
      const again = await closing;
      assert.deepEqual([ran, sent], [['runs'], ['first', 'second', 'answer']]);
      assert.deepEqual(await again.threadState(thread), { state: 'idle', waiting: 0 });
      assert.deepEqual(await again.threadState(later), { state: 'queued', waiting: 1 });
      assert.equal(await again.outbox.pending('telegram', '1'), 0);
      assert.deepEqual(await again.deadLetters.list(10), []);
    });

    it('aborts what takes too long, and hands it over without counting an attempt', async (t) => {
      const { bus, reopen } = await open(t, {});
      if (reopen === undefined) return t.skip('cannot be opened again');
      const [polite, deaf, thrower] = [newThreadId(), newThreadId(), newThreadId()];
      const reasons: unknown[] = [];
      const end = gate();
      let started = 0;
      await bus.work(
        handlerOf(async (turn) => {
          started++;
          if (turn.thread === deaf) {
            await end.passed;
            return done(turn, [newDelivery('too late')]);
          }
          await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
          reasons.push(abortReason(turn.signal));
          if (turn.thread === thrower) throw turn.signal.reason;
          return { kind: 'release' };
        }),
        workOptions,
      );
      for (const thread of [polite, deaf, thrower]) await bus.publish(newInput(thread, 'a'));
      await until('all to run', () => started === 3);
      await bus.close({ graceMs: 20 });
      end.open();
      assert.deepEqual(reasons, ['shutdown', 'shutdown']);
      const again = await reopen();
      const attempts = new Map<string, number>();
      await again.work(
        handlerOf(async (turn) => {
          attempts.set(turn.thread, turn.attempt);
          return done(turn);
        }),
        workOptions,
      );
      for (const thread of [polite, deaf, thrower]) await idle(again, thread);
      assert.deepEqual(
        [polite, deaf, thrower].map((thread) => attempts.get(thread)),
        [0, 0, 0],
      );
      assert.equal(await again.outbox.pending('telegram', '1'), 0);
    });

    it('puts a delivery that never came back aside as uncertain, and tells of it', async (t) => {
      const { bus, reopen } = await open(t, {});
      if (reopen === undefined) return t.skip('cannot be opened again');
      const started = gate();
      const end = gate();
      const told: string[] = [];
      const sent: string[] = [];
      let hanging = 0;
      const again = { chat: '2', resendForMs: 3_600_000 };
      await bus.outbox.enqueue([newDelivery('hangs'), newDelivery('is sent again', again)]);
      await bus.outbox.send(
        ['telegram'],
        async () => {
          if (++hanging === 2) started.open();
          await end.passed;
          return { kind: 'sent' };
        },
        {
          ...sendOptions,
          onDoubt: async ({ document }) => {
            told.push(document.markdown);
            await bus.outbox.enqueue([newDelivery('a note')]);
          },
        },
      );
      await started.passed;
      await bus.close({ graceMs: 20 });
      end.open();
      const next = await reopen();
      await next.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await until('the rest', async () => (await next.stats()).pendingDeliveries === 0);
      assert.deepEqual(
        (await next.deadLetters.list(10)).map(({ kind }) => kind),
        ['uncertain'],
      );
      assert.deepEqual([told, sent.sort()], [['hangs'], ['a note', 'is sent again']]);
    });

    it('refuses everything once it is closed, and closes twice without harm', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      await bus.work(
        handlerOf(async (turn) => done(turn)),
        workOptions,
      );
      await bus.publish(newInput(thread, 'a'));
      await idle(bus, thread);
      await Promise.all([bus.close(), bus.close()]);
      await bus.close();
      await assert.rejects(bus.publish(newInput(thread, 'b')), { name: 'AntlerError', retryable: true });
      await assert.rejects(bus.check(), { name: 'AntlerError' });
      await assert.rejects(bus.outbox.enqueue([newDelivery('x')]), { name: 'AntlerError' });
    });
  });
}
