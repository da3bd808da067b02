import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BusyPolicy } from '../../channel/busy.ts';
import { redisForTests, type Service } from '../../testing/services.ts';
import { done, handlerOf, idle, newInput, newThreadId, payloadsOf } from '../contract/kit.ts';
import { cutTurn } from '../policy.ts';
import { newPrefix, openBus } from './testing/kit.ts';

let redis: Service;
before(async () => {
  redis = await redisForTests();
});
after(() => redis.stop());

const POLICIES = ['collect', 'queue', 'steer', 'interrupt'] as const;

/** Numbers that look random and are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

interface Waits {
  readonly payload: number;
  readonly busy: BusyPolicy;
  readonly tried: boolean;
}

/** The turns of an inbox, as the pure functions cut them. */
function turnsOf(inbox: readonly Waits[]): number[][] {
  const turns: number[][] = [];
  for (let rest = inbox; rest.length > 0; ) {
    const { turn } = cutTurn(rest);
    turns.push(turn.map((input) => input.payload));
    rest = rest.slice(turn.length);
  }
  return turns;
}

test('the script cuts turns as the pure functions do, however policies mix', async (t) => {
  const bus = await openBus(t, redis.url, newPrefix());
  const roll = dice(7);
  const expected = new Map<string, number[][]>();
  for (let round = 0; round < 60; round++) {
    const thread = newThreadId();
    const inbox: Waits[] = Array.from({ length: 1 + roll(12) }, (_, payload) => ({
      payload,
      busy: POLICIES[roll(POLICIES.length)] ?? 'collect',
      tried: false,
    }));
    expected.set(thread, turnsOf(inbox));
    for (const { payload, busy } of inbox)
      await bus.publish({ ...newInput(thread, payload, `telegram/${round}`), user: thread, busy });
  }
  const seen = new Map<string, unknown[][]>();
  await bus.work(
    handlerOf(async (turn) => {
      seen.set(turn.thread, [...(seen.get(turn.thread) ?? []), payloadsOf(turn)]);
      return done(turn);
    }),
    { concurrency: 10, leaseMs: 5_000, maxAttempts: 2 },
  );
  for (const thread of expected.keys()) await idle(bus, thread as ReturnType<typeof newThreadId>);
  assert.deepEqual(seen, new Map([...expected].map(([thread, turns]) => [thread, turns])));
});
