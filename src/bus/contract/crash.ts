import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Turn } from '../port.ts';
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

/** Short, so that a takeover is not waited for. */
const work = { ...workOptions, leaseMs: 500 } as const;
const send = { ...sendOptions, leaseMs: 500 } as const;

/** What a process leaves behind that dies in the middle. */
export function crashContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('runs the turn of a dead worker again, one attempt on, and commits it once', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const thread = newThreadId();
      const started = gate();
      const dead = gate();
      await bus.work(
        handlerOf(async (turn) => {
          started.open();
          await dead.passed;
          return done(turn, [newDelivery('from the dead')]);
        }),
        work,
      );
      await bus.publish(newInput(thread, 'a'));
      await started.passed;
      await bus.publish(newInput(thread, 'b'));
      const after = await crash();
      const turns: [unknown[], number][] = [];
      await after.work(
        handlerOf(async (turn) => {
          turns.push([payloadsOf(turn), turn.attempt]);
          dead.open();
          return done(turn, [newDelivery('answer')]);
        }),
        work,
      );
      await idle(after, thread);
      const sent: string[] = [];
      await after.outbox.enqueue([newDelivery('end')]);
      await after.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
          return { kind: 'sent' };
        },
        send,
      );
      await until('the end', () => sent.includes('end'));
      assert.deepEqual(turns, [[['a', 'b'], 1]]);
      assert.deepEqual(sent, ['answer', 'end']);
    });

    it('gives up the message that kills every worker, and answers the next', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const thread = newThreadId();
      const dead = gate();
      let attempts = 0;
      const given: [unknown[], number][] = [];
      const answered: unknown[] = [];
      const handler = () =>
        handlerOf(
          async (turn) => {
            if (!payloadsOf(turn).includes('poison')) {
              answered.push(...payloadsOf(turn));
              return done(turn);
            }
            attempts++;
            await dead.passed;
            return { kind: 'release' };
          },
          async (turn) => {
            given.push([payloadsOf(turn), turn.attempt]);
            return [];
          },
        );
      const options = { ...work, maxAttempts: 2 };
      await bus.work(handler(), options);
      await bus.publish(newInput(thread, 'poison'));
      await until('the first attempt', () => attempts === 1);
      const second = await crash();
      await second.work(handler(), options);
      await until('the second attempt', () => attempts === 2);
      await second.publish(newInput(thread, 'fine'));
      const third = await crash();
      await third.work(handler(), options);
      await until('the answer', () => answered.length === 1);
      await idle(third, thread);
      dead.open();
      assert.deepEqual(given, [[['poison'], 2]]);
      assert.deepEqual(answered, ['fine']);
      assert.equal(attempts, 2);
      const letters = await third.deadLetters.list(10);
      assert.deepEqual(
        letters.map(({ kind, content }) => [kind, (content as Turn['inputs']).map((input) => input.payload)]),
        [['turn', ['poison']]],
      );
    });

    it('does not send again what was under way, but tells of it, and sends the rest', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const started = gate();
      const dead = gate();
      await bus.outbox.enqueue([newDelivery('under way', { id: unique('way') }), newDelivery('behind')]);
      await bus.outbox.send(
        ['telegram'],
        async () => {
          started.open();
          await dead.passed;
          return { kind: 'sent' };
        },
        send,
      );
      await started.passed;
      const after = await crash();
      const sent: string[] = [];
      await after.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind === 'delivery') sent.push(outgoing.delivery.document.markdown);
          return { kind: 'sent' };
        },
        send,
      );
      await until('the rest', async () => (await after.outbox.pending('telegram', '1')) === 0);
      dead.open();
      assert.deepEqual(sent, ['behind']);
      assert.deepEqual(
        (await after.deadLetters.list(10)).map((letter) => letter.kind),
        ['uncertain'],
      );
    });

    it('goes on in the message that the dead worker had shown', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const stream = unique('stream');
      const stored = gate();
      const dead = gate();
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.shown.length > 0) stored.open();
          return { kind: 'sent', shown: ['m1'] };
        },
        send,
      );
      let over = false;
      await bus.work(
        handlerOf(async (turn) => {
          for (let n = 0; !over; n++) {
            await turn.draft(newDraft(stream, `stand ${n}`));
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
          await dead.passed;
          return { kind: 'release' };
        }),
        work,
      );
      await bus.publish(newInput(newThreadId(), 'hi'));
      await stored.passed;
      over = true;
      const after = await crash();
      const out: (readonly string[])[] = [];
      await after.outbox.send(
        ['telegram'],
        async (outgoing) => {
          out.push(outgoing.shown);
          return { kind: 'sent' };
        },
        send,
      );
      await after.work(
        handlerOf(async (turn) => done(turn, [newDelivery('Hello', { stream: { id: stream, part: 0, last: true } })])),
        work,
      );
      await until('the final text', () => out.length === 1);
      dead.open();
      assert.deepEqual(out, [['m1']]);
    });
  });
}
