import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ThreadId } from '../../base/ids.ts';
import type { NewInput, Turn, TurnInput } from '../port.ts';
import {
  done,
  gate,
  handlerOf,
  idle,
  newInput,
  newRunId,
  newThreadId,
  type OpenBus,
  payloadsOf,
  until,
  workOptions,
} from './kit.ts';

const steering = (thread: ThreadId, payload: unknown): NewInput => ({ ...newInput(thread, payload), busy: 'steer' });

/** Asks until something has been steered into the turn. */
async function nextSteered(turn: Pick<Turn, 'steered'>, count = 1): Promise<TurnInput[]> {
  const taken: TurnInput[] = [];
  await until('what was steered', async () => {
    taken.push(...(await turn.steered()));
    return taken.length >= count;
  });
  return taken;
}

/** Inputs that are handed to the run that is active. */
export function steeringContract(name: string, open: OpenBus): void {
  describe(name, () => {
    it('hands what comes to the active run, and what it does not take to the next turn', async (t) => {
      const { bus, second } = await open(t, {});
      const other = second === undefined ? bus : await second();
      const thread = newThreadId();
      const turns: unknown[][] = [];
      const steered: unknown[] = [];
      const started = gate();
      const tookTwo = gate();
      const finish = gate();
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          if (turns.length > 1) return done(turn);
          assert.deepEqual(await turn.steered(), []);
          started.open();
          const taken = await nextSteered(turn, 2);
          steered.push(...taken.map((input) => [input.seq, input.payload]));
          tookTwo.open();
          await finish.passed;
          return { kind: 'done', commit: newRunId(), ackSeq: taken.at(-1)?.seq ?? 0, deliveries: [] };
        }),
        workOptions,
      );
      await bus.publish(steering(thread, 'begins'));
      await started.passed;
      assert.deepEqual(await other.publish(steering(thread, 'first')), {
        status: 'accepted',
        seq: 2,
        state: 'running',
      });
      await other.publish(steering(thread, 'second'));
      await tookTwo.passed;
      await other.publish(steering(thread, 'too late'));
      finish.open();
      await until('the next turn', () => turns.length === 2);
      await idle(bus, thread);
      assert.deepEqual(steered, [
        [2, 'first'],
        [3, 'second'],
      ]);
      assert.deepEqual(turns, [['begins'], ['too late']]);
    });

    it('leaves for the next turn what was taken but not acknowledged', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: unknown[][] = [];
      const started = gate();
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          if (turns.length > 1) return done(turn);
          started.open();
          await nextSteered(turn);
          return done(turn);
        }),
        workOptions,
      );
      await bus.publish(steering(thread, 'begins'));
      await started.passed;
      await bus.publish(steering(thread, 'steered'));
      await until('the next turn', () => turns.length === 2);
      await idle(bus, thread);
      assert.deepEqual(turns, [['begins'], ['steered']]);
    });

    it('hands nothing past an input of another policy, so that order is kept', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: unknown[][] = [];
      const steered: unknown[] = [];
      const started = gate();
      const published = gate();
      await bus.work(
        handlerOf(async (turn) => {
          turns.push(payloadsOf(turn));
          if (turns.length > 1) return done(turn);
          started.open();
          await published.passed;
          const taken = await nextSteered(turn);
          taken.push(...(await turn.steered()));
          steered.push(...taken.map((input) => input.payload));
          return { kind: 'done', commit: newRunId(), ackSeq: taken.at(-1)?.seq ?? 0, deliveries: [] };
        }),
        workOptions,
      );
      await bus.publish(newInput(thread, 'begins'));
      await started.passed;
      await bus.publish(steering(thread, 's1'));
      await bus.publish(newInput(thread, 'c2'));
      await bus.publish(steering(thread, 's3'));
      await bus.publish({ ...newInput(thread, 'q4'), busy: 'queue' });
      await bus.publish(steering(thread, 's5'));
      published.open();
      await until('all turns', () => turns.length === 4);
      await idle(bus, thread);
      assert.deepEqual(steered, ['s1']);
      assert.deepEqual(turns, [['begins'], ['c2', 's3'], ['q4'], ['s5']]);
    });

    it('hands what was taken out again, in order, when the turn fails or is released', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const turns: [unknown[], number][] = [];
      const started = gate();
      const old: Turn[] = [];
      await bus.work(
        handlerOf(async (turn) => {
          turns.push([payloadsOf(turn), turn.attempt]);
          old.push(turn);
          if (turns.length === 1) {
            started.open();
            await nextSteered(turn, 2);
            return { kind: 'retry', delayMs: 1, error: 'broke' };
          }
          if (turns.length === 2) return { kind: 'release' };
          return done(turn);
        }),
        workOptions,
      );
      await bus.publish(steering(thread, 1));
      await started.passed;
      await bus.publish(steering(thread, 2));
      await bus.publish(steering(thread, 3));
      await until('three turns', () => turns.length === 3);
      await idle(bus, thread);
      assert.deepEqual(turns, [
        [[1], 0],
        [[1, 2, 3], 1],
        [[1, 2, 3], 1],
      ]);
      // A run that is over takes nothing from the one that is on.
      for (const turn of old) assert.deepEqual(await turn.steered(), []);
    });

    it('hands what a dead worker had taken out again, in order', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const thread = newThreadId();
      const started = gate();
      const taken = gate();
      const dead = gate();
      const options = { ...workOptions, leaseMs: 500 };
      await bus.work(
        handlerOf(async (turn) => {
          started.open();
          await nextSteered(turn, 2);
          taken.open();
          await dead.passed;
          return done(turn);
        }),
        options,
      );
      await bus.publish(steering(thread, 1));
      await started.passed;
      await bus.publish(steering(thread, 2));
      await bus.publish(steering(thread, 3));
      await taken.passed;
      await bus.publish(steering(thread, 4));
      const after = await crash();
      const turns: [unknown[], number][] = [];
      await after.work(
        handlerOf(async (turn) => {
          turns.push([payloadsOf(turn), turn.attempt]);
          dead.open();
          return done(turn);
        }),
        options,
      );
      await until('the turn', () => turns.length > 0);
      await idle(after, thread);
      assert.deepEqual(turns, [[[1, 2, 3, 4], 1]]);
    });

    it('gives up what was steered into the turn along with it', async (t) => {
      const { bus } = await open(t, {});
      const thread = newThreadId();
      const started = gate();
      const goOn = gate();
      const given: unknown[][] = [];
      const turns: unknown[][] = [];
      await bus.work(
        handlerOf(
          async (turn) => {
            turns.push(payloadsOf(turn));
            if (turns.length > 1) return done(turn);
            started.open();
            await nextSteered(turn);
            await goOn.passed;
            return { kind: 'retry', delayMs: 0, error: 'broke' };
          },
          async (turn) => {
            given.push(payloadsOf(turn));
            return [];
          },
        ),
        { ...workOptions, maxAttempts: 1 },
      );
      await bus.publish(steering(thread, 1));
      await started.passed;
      await bus.publish(steering(thread, 2));
      await bus.publish(newInput(thread, 'later'));
      goOn.open();
      await until('the next turn', () => turns.length === 2);
      await idle(bus, thread);
      assert.deepEqual(given, [[1, 2]]);
      assert.deepEqual(turns, [[1], ['later']]);
    });
  });
}
