import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MessageBus } from '../port.ts';
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

const letterCount = async (bus: MessageBus): Promise<number> => (await bus.stats()).deadLetters;

/** What failed for good can be read, put back and thrown away. */
export function deadLetterContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('puts a turn back into its thread, behind what waits there', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: { payloads: unknown[]; seqs: number[]; attempt: number }[] = [];
      let broken = true;
      await bus.work(
        handlerOf(async (turn) => {
          turns.push({
            payloads: payloadsOf(turn),
            seqs: turn.inputs.map((input) => input.seq),
            attempt: turn.attempt,
          });
          return broken ? { kind: 'retry', delayMs: 0, error: 'broken' } : done(turn);
        }),
        { ...workOptions, maxAttempts: 1 },
      );
      await bus.publish(newInput(thread, 'a'));
      await until('the dead letter', async () => (await letterCount(bus)) === 1);
      await idle(bus, thread);
      broken = false;
      await bus.publish(newInput(thread, 'b'));
      await idle(bus, thread);
      const [letter] = await bus.deadLetters.list(1);
      assert.ok(letter !== undefined);
      assert.equal(await bus.deadLetters.replay(letter.id), true);
      await until('the replayed turn', () => turns.length === 3);
      await idle(bus, thread);
      assert.deepEqual(
        turns.map(({ payloads, attempt }) => [payloads, attempt]),
        [
          [['a'], 0],
          [['b'], 0],
          [['a'], 0],
        ],
      );
      // A number names one input for ever: answers are known by it.
      assert.equal(new Set(turns.flatMap((turn) => turn.seqs)).size, 3);
      assert.equal(await letterCount(bus), 0);
      assert.equal(await bus.deadLetters.replay(letter.id), false);
    });

    it('sends a dead or uncertain delivery when it is put back, although its id is known', async (t) => {
      const { bus } = await open(t, {});
      const sent: string[] = [];
      let broken = true;
      await bus.outbox.enqueue([newDelivery('dead'), newDelivery('unsure')]);
      await bus.outbox.send(
        ['telegram'],
        async (outgoing) => {
          if (outgoing.kind !== 'delivery') return { kind: 'sent' };
          const { markdown } = outgoing.delivery.document;
          if (broken) return { kind: markdown === 'dead' ? 'dead' : 'uncertain', error: 'broken' };
          sent.push(`${markdown} ${outgoing.attempt}`);
          return { kind: 'sent' };
        },
        sendOptions,
      );
      await until('two dead letters', async () => (await letterCount(bus)) === 2);
      broken = false;
      const letters = await bus.deadLetters.list(10);
      assert.deepEqual(
        letters.map((letter) => letter.kind),
        ['uncertain', 'delivery'],
      );
      for (const letter of letters) assert.equal(await bus.deadLetters.replay(letter.id), true);
      await until('both sent', () => sent.length === 2);
      assert.deepEqual(sent, ['unsure 0', 'dead 0']);
      assert.equal(await letterCount(bus), 0);
    });

    it('reads one by its id, and no more once it is dropped or put back', async (t) => {
      const { bus, reopen } = await open(t, {});
      await bus.outbox.send(['telegram'], async () => ({ kind: 'uncertain', error: 'who knows' }), sendOptions);
      await bus.outbox.enqueue([newDelivery('first'), newDelivery('second')]);
      await until('two dead letters', async () => (await letterCount(bus)) === 2);
      const letters = await bus.deadLetters.list(10);
      for (const letter of letters) assert.deepEqual(await bus.deadLetters.get(letter.id), letter);
      assert.equal(await bus.deadLetters.get('never-was'), null);
      const again = reopen === undefined ? bus : await reopen();
      const [second, first] = letters.map((letter) => letter.id);
      assert.deepEqual(await again.deadLetters.get(second ?? ''), letters[0]);
      assert.equal(await again.deadLetters.drop(first ?? ''), true);
      assert.equal(await again.deadLetters.get(first ?? ''), null);
      assert.equal(await again.deadLetters.replay(second ?? ''), true);
      assert.equal(await again.deadLetters.get(second ?? ''), null);
      assert.equal(await again.outbox.pending('telegram', '1'), 1);
    });

    it('tells of a dead turn which thread, channel and chat it belongs to, and puts it back into a pause', async (t) => {
      const { bus } = await open(t, {});
      const [thread, free] = [newThreadId(), newThreadId()];
      let broken = true;
      await bus.work(
        handlerOf(async (turn) => (broken ? { kind: 'retry', delayMs: 0, error: 'broken' } : done(turn))),
        { ...workOptions, maxAttempts: 1 },
      );
      const input = newInput(thread, 'a', 'slack/C1');
      await bus.publish(input);
      await until('the dead letter', async () => (await letterCount(bus)) === 1);
      await idle(bus, thread);
      const [letter] = await bus.deadLetters.list(1);
      assert.ok(letter !== undefined);
      assert.deepEqual(
        [letter.kind, letter.thread, letter.channel, letter.chat],
        ['turn', thread, 'slack', 'slack/C1'],
      );
      assert.deepEqual(letter.content, [{ seq: 1, payload: 'a', at: input.at }]);
      broken = false;
      await bus.pause('slack');
      assert.equal(await bus.deadLetters.replay(letter.id), true);
      await bus.publish(newInput(free, 'b'));
      await idle(bus, free);
      assert.deepEqual(await bus.threadState(thread), { state: 'queued', waiting: 1 });
      await bus.resume('slack');
      await idle(bus, thread);
    });

    it('lists the newest first, no more than asked for, and drops', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const before = Date.now();
      await bus.work(
        handlerOf(async (turn) => ({ kind: 'retry', delayMs: 0, error: `bad ${payloadsOf(turn)}` })),
        { ...workOptions, maxAttempts: 1 },
      );
      for (const n of [1, 2, 3]) {
        await publishAll(bus, thread, [n]);
        await until(`dead letter ${n}`, async () => (await letterCount(bus)) === n);
        await idle(bus, thread);
      }
      const letters = await bus.deadLetters.list(2);
      assert.deepEqual(
        letters.map((letter) => letter.error),
        ['bad 3', 'bad 2'],
      );
      assert.ok(letters.every((letter) => letter.at >= before - 1_000 && letter.at <= Date.now() + 1_000));
      const id = letters[0]?.id ?? '';
      assert.equal(await bus.deadLetters.drop(id), true);
      assert.equal(await bus.deadLetters.drop(id), false);
      assert.equal(await bus.deadLetters.drop('never-was'), false);
      assert.equal(await bus.deadLetters.replay('never-was'), false);
      assert.deepEqual(
        (await bus.deadLetters.list(10)).map((letter) => letter.error),
        ['bad 2', 'bad 1'],
      );
    });
  });
}
