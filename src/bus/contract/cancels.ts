import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AntlerError } from '../../base/errors.ts';
import { abortReason } from '../abort.ts';
import { done, gate, handlerOf, idle, newInput, newThreadId, type OpenBus, workOptions } from './kit.ts';

/** A cancel reaches the run that is active, and no other. */
export function cancelContract(name: string, open: OpenBus): void {
  describe(name, () => {
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
  });
}
