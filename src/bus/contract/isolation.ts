import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ThreadId } from '../../base/ids.ts';
import type { MessageBus, Turn, WorkOptions } from '../port.ts';
import {
  aborted,
  done,
  type Gate,
  gate,
  handlerOf,
  idle,
  newInput,
  newThreadId,
  type OpenBus,
  payloadsOf,
  until,
  workOptions,
} from './kit.ts';

const BYSTANDERS = 3;
const options: WorkOptions = { ...workOptions, leaseMs: 500 };

/** One life of a process: what ran in it, at most how much of it at once, and what its turns wait for. */
interface Life {
  readonly began: unknown[];
  most: number;
  readonly end: Gate;
}

/** Whom a crash is blamed on. */
export function isolationContract(name: string, open: OpenBus): void {
  describe(name, () => {
    /** Works until `stays` lets a turn end; the others end with the process. */
    async function live(
      bus: MessageBus,
      stays: (turn: Turn) => boolean,
      given: unknown[],
      maxAttempts = 3,
    ): Promise<Life> {
      const life: Life = { began: [], most: 0, end: gate('the end of the process') };
      let running = 0;
      await bus.work(
        handlerOf(
          async (turn) => {
            life.began.push(...payloadsOf(turn));
            life.most = Math.max(life.most, ++running);
            if (stays(turn)) await Promise.race([life.end.passed, aborted(turn)]);
            running--;
            return stays(turn) ? { kind: 'release' } : done(turn);
          },
          async (turn) => {
            given.push(...payloadsOf(turn));
            return [];
          },
        ),
        { ...options, maxAttempts },
      );
      return life;
    }
    async function start(bus: MessageBus, payloads: readonly string[]): Promise<ThreadId[]> {
      const threads = payloads.map(() => newThreadId());
      for (const [n, thread] of threads.entries())
        await bus.publish(newInput(thread, payloads[n], `telegram/${thread}`));
      return threads;
    }
    const bystanders = Array.from({ length: BYSTANDERS }, (_, n) => `bystander ${n}`);

    it('gives up the message that ends its process, and answers all that ran beside it', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const [poisoned, ...others] = await start(bus, ['poison', ...bystanders]);
      assert.ok(poisoned !== undefined);
      const lives: Life[] = [];
      const given: unknown[] = [];
      let now = bus;
      // While they run beside it, all of them are under way when it ends the process.
      for (let n = 0; n < 2; n++) {
        const life = await live(now, () => true, given);
        lives.push(life);
        await until('all to run', () => life.began.length === BYSTANDERS + 1);
        now = await crash();
      }
      const isPoison = (turn: Turn): boolean => payloadsOf(turn).includes('poison');
      const alone = await live(now, isPoison, given);
      lives.push(alone);
      await until('the poisoned turn', () => alone.began.includes('poison'));
      now = await crash();
      lives.push(await live(now, isPoison, given));
      for (const thread of [poisoned, ...others]) await idle(now, thread);
      for (const life of lives) life.end.open();
      assert.ok(
        lives.slice(2).every(({ most }) => most <= 1),
        'who is suspected runs alone',
      );
      assert.deepEqual(given, ['poison']);
      assert.equal((await now.deadLetters.list(10)).length, 1);
      assert.deepEqual(
        lives
          .slice(2)
          .flatMap(({ began }) => began)
          .sort(),
        [...bystanders, 'poison'].sort(),
      );
    });

    it('gives nothing up because its process was killed five times in a row', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const threads = await start(bus, bystanders);
      const lives: Life[] = [];
      const given: unknown[] = [];
      let now = bus;
      for (let kill = 0; kill < 5; kill++) {
        const life = await live(now, () => true, given, 5);
        lives.push(life);
        await until('one to run', () => life.began.length >= (kill < 2 ? BYSTANDERS : 1));
        now = await crash();
      }
      const last = await live(now, () => false, given, 5);
      for (const thread of threads) await idle(now, thread);
      for (const life of lives) life.end.open();
      assert.deepEqual(last.began.toSorted(), bystanders);
      assert.deepEqual([given, await now.deadLetters.list(10)], [[], []]);
    });

    it('lets new messages in again after the suspects', async (t) => {
      const { bus, crash } = await open(t, {});
      if (crash === undefined) return t.skip('cannot crash');
      const [thread] = await start(bus, ['suspect']);
      assert.ok(thread !== undefined);
      const lives: Life[] = [];
      let now = bus;
      for (let n = 0; n < 2; n++) {
        const life = await live(now, () => true, []);
        lives.push(life);
        await until('it to run', () => life.began.length === 1);
        now = await crash();
      }
      const running = gate();
      const end = gate();
      const began: unknown[] = [];
      await now.work(
        handlerOf(async (turn) => {
          began.push(...payloadsOf(turn));
          if (turn.thread !== thread) return done(turn);
          running.open();
          await end.passed;
          return done(turn);
        }),
        options,
      );
      await running.passed;
      const fresh = await start(now, ['a', 'b', 'c']);
      assert.equal((await now.threadState(thread)).state, 'running');
      end.open();
      for (const one of [thread, ...fresh]) await idle(now, one);
      for (const life of lives) life.end.open();
      assert.equal(began[0], 'suspect');
      assert.deepEqual(began.slice(1).sort(), ['a', 'b', 'c']);
    });
  });
}
