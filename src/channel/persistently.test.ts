import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../base/errors.ts';
import { silentLogger } from '../base/logger.ts';
import { persistentFlow, persistently } from './persistently.ts';

function setUp(givesUp: (error: AntlerError, attempt: number) => boolean) {
  const stopping = new AbortController();
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const options = { about: {}, givesUp, log: silentLogger, signal: stopping.signal, clock: { now: () => 0, sleep } };
  return { stopping, waits, options };
}

const down = (): never => {
  throw new AntlerError('unavailable', 'no database', { retryable: true });
};

test('what intake does not take is offered again until it does', async () => {
  const { options, waits } = setUp(() => false);
  const offer = async (attempt: number): Promise<string> => (attempt < 4 ? down() : `taken at ${attempt}`);
  assert.deepEqual(await persistently(offer, options), { kind: 'taken', value: 'taken at 4' });
  assert.equal(waits.length, 3);
});

test('it is given up when the caller says so, and when everything stops', async () => {
  const tried: number[] = [];
  const offerAll = async (attempt: number): Promise<never> => {
    tried.push(attempt);
    return down();
  };
  const { options } = setUp((error, attempt) => error.retryable && attempt === 3);
  assert.deepEqual(await persistently(offerAll, options), { kind: 'given_up' });
  assert.deepEqual(tried, [1, 2, 3]);
  const { options: others, stopping } = setUp(() => false);
  const offer = async (): Promise<never> => {
    stopping.abort();
    return down();
  };
  assert.deepEqual(await persistently(offer, others), { kind: 'stopped' });
});

test('what alone is refused while others pass is given up, and nothing is while nothing passes', async () => {
  const { options } = setUp(() => false);
  const { about, signal } = options;
  const offer = persistentFlow(options);
  const poison = async (): Promise<never> => {
    throw new AntlerError('internal', 'cannot be stored');
  };
  let tries = 0;
  const alone = offer(
    async (attempt) => {
      tries = attempt;
      if (attempt === 40) return 'at last';
      return poison();
    },
    { about, signal },
  );
  assert.deepEqual(await alone, { kind: 'taken', value: 'at last' });
  assert.equal(tries, 40);

  const beside = offer(
    async (attempt) => {
      if (attempt === 2) await offer(async () => 'another', { about, signal });
      tries = attempt;
      return poison();
    },
    { about, signal },
  );
  assert.deepEqual(await beside, { kind: 'given_up' });
  assert.equal(tries, 10);
});

test('after a long outage what waited is taken two seconds later at most', async () => {
  const { options, waits } = setUp(() => false);
  await persistently(async (attempt) => (attempt < 300 ? down() : 'taken'), options);
  assert.equal(waits.length, 299);
  assert.ok(Math.max(...waits) <= 2_000, `waited ${Math.max(...waits)} ms`);
});
