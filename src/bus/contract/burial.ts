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
  until,
} from './kit.ts';

/** So long that nothing is taken over unless its worker is buried. */
const FOREVER_MS = 3_600_000;
const working = (id?: string) => ({
  concurrency: 4,
  leaseMs: FOREVER_MS,
  maxAttempts: 3,
  ...(id === undefined ? {} : { id }),
});
const sending = (id?: string) => ({ concurrency: 4, leaseMs: FOREVER_MS, ...(id === undefined ? {} : { id }) });
/** What the bus promises for a worker whose supervisor tells of its death. */
const TAKEOVER_MS = 500;

/** Processes that are known to be dead. */
export function burialContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('names who works and who sends as they ask, or each by a name of its own', async (t) => {
      const { bus, second } = await open(t, {});
      const handler = handlerOf(async (turn) => done(turn));
      const worker = await bus.work(handler, working('worker-1'));
      const sender = await bus.outbox.send(['telegram'], async () => ({ kind: 'sent' }), sending('sender-1'));
      assert.deepEqual([worker.id, sender.id], ['worker-1', 'sender-1']);
      const others = [await bus.outbox.send(['slack'], async () => ({ kind: 'sent' }), sending())];
      if (second !== undefined) others.push(await (await second()).work(handler, working()));
      const ids = others.map((other) => other.id);
      assert.ok(ids.every((id) => id.length > 0));
      assert.equal(new Set(ids).size, ids.length);
    });

    it('has nothing to do for one it never knew, and does not touch the living', async (t) => {
      const { bus, second } = await open(t, {});
      const other = second === undefined ? bus : await second();
      const thread = newThreadId();
      const started = gate();
      const go = gate();
      let runs = 0;
      await bus.work(
        handlerOf(async (turn) => {
          runs++;
          started.open();
          await go.passed;
          return done(turn);
        }),
        working('alive'),
      );
      await bus.publish(newInput(thread, 1));
      await started.passed;
      await other.bury('never was');
      await other.bury('');
      assert.equal((await bus.threadState(thread)).state, 'running');
      go.open();
      await idle(bus, thread);
      assert.equal(runs, 1);
    });

    it('hands the turns and sends of a dead process over at once, one attempt on', async (t) => {
      const { bus, second, crash } = await open(t, {});
      if (second === undefined || crash === undefined) return t.skip('one instance only');
      const [active, waiting] = [newThreadId(), newThreadId()];
      const runStarted = gate();
      const sendsStarted = gate();
      const dead = gate();
      let sends = 0;
      await bus.outbox.send(
        ['telegram'],
        async () => {
          if (++sends === 2) sendsStarted.open();
          await dead.passed;
          return { kind: 'sent' };
        },
        sending('dead'),
      );
      await bus.work(
        handlerOf(async (turn) => {
          runStarted.open();
          await dead.passed;
          return done(turn);
        }),
        { ...working('dead'), concurrency: 1 },
      );
      await bus.publish(newInput(active, 'active', 'telegram/1'));
      await runStarted.passed;
      await bus.publish(newInput(waiting, 'waiting', 'telegram/2'));
      await bus.outbox.enqueue([
        newDelivery('held', { chat: 'a' }),
        newDelivery('behind', { chat: 'a' }),
        newDelivery('again', { chat: 'b', resendForMs: FOREVER_MS }),
      ]);
      await sendsStarted.passed;
      const after = await crash();
      const turns = new Map<unknown, number>();
      const sent: string[] = [];
      await after.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') sent.push(`${outgoing.delivery.document.markdown} ${outgoing.attempt}`);
          return { kind: 'sent' };
        },
        sending('next'),
      );
      await after.work(
        handlerOf(async (turn) => {
          turns.set(payloadsOf(turn)[0], turn.attempt);
          return done(turn);
        }),
        working('next'),
      );
      const buriedAt = performance.now();
      await after.bury('dead');
      await until('the taken-over turn', () => turns.has('active'));
      await until('the sends', () => sent.length === 2);
      const tookMs = performance.now() - buriedAt;
      await idle(after, active);
      await idle(after, waiting);
      dead.open();
      assert.deepEqual([turns.get('active'), turns.get('waiting')], [1, 0]);
      assert.deepEqual(sent.sort(), ['again 1', 'behind 0']);
      assert.deepEqual(
        (await after.deadLetters.list(10)).map((letter) => letter.kind),
        ['uncertain'],
      );
      assert.ok(tookMs <= TAKEOVER_MS, `took ${tookMs} ms`);
      // Once more does no harm.
      await after.bury('dead');
      assert.deepEqual(await after.threadState(active), { state: 'idle', waiting: 0 });
    });
  });
}
