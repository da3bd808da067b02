import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aborted,
  done,
  gate,
  handlerOf,
  idle,
  newInput,
  newThreadId,
  type OpenBus,
  until,
  workOptions,
} from './kit.ts';

/** The bus promises this for the 99th percentile; a loaded test machine is held to it in the middle. */
const MOST_MS = 100;
const ROUNDS = 15;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** How soon a running turn hears of what concerns it, from another process where there can be one. */
export function latencyContract(name: string, open: OpenBus): void {
  describe(name, () => {
    for (const kind of ['cancel', 'interrupt', 'steer'] as const)
      it(`tells a run of a ${kind} within ${MOST_MS} ms`, async (t) => {
        const { bus, second } = await open(t, {});
        const other = second === undefined ? bus : await second();
        let started = gate();
        let heard = gate<number>();
        await bus.work(
          handlerOf(async (turn) => {
            if (turn.inputs[0]?.payload !== 'runs') return done(turn);
            started.open();
            if (kind === 'steer')
              await until('the steered', async () => turn.signal.aborted || (await turn.steered()).length > 0);
            else await aborted(turn);
            heard.open(performance.now());
            return done(turn);
          }),
          workOptions,
        );
        const delays: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const thread = newThreadId();
          started = gate();
          heard = gate();
          await other.publish(newInput(thread, 'runs'));
          await started.passed;
          const toldAt = performance.now();
          if (kind === 'cancel') assert.equal(await other.cancel(thread, 'stop'), true);
          else await other.publish({ ...newInput(thread, 'more'), busy: kind });
          delays.push((await heard.passed) - toldAt);
          await idle(other, thread);
        }
        assert.ok(median(delays) <= MOST_MS, `in milliseconds: ${delays.map(Math.round)}`);
      });
  });
}
