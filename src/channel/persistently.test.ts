import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../base/errors.ts';
import { silentLogger } from '../base/logger.ts';
import { persistently } from './persistently.ts';

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
  assert.equal(
    await persistently(async (attempt) => (attempt < 4 ? down() : `taken at ${attempt}`), options),
    'taken at 4',
  );
  assert.equal(waits.length, 3);
});

test('it is given up when the caller says so, and when everything stops', async () => {
  const tried: number[] = [];
  const offerAll = async (attempt: number): Promise<never> => {
    tried.push(attempt);
    return down();
  };
  const { options } = setUp((error, attempt) => error.retryable && attempt === 3);
  assert.equal(await persistently(offerAll, options), undefined);
  assert.deepEqual(tried, [1, 2, 3]);
  const { options: others, stopping } = setUp(() => false);
  const offer = async (): Promise<never> => {
    stopping.abort();
    return down();
  };
  assert.equal(await persistently(offer, others), undefined);
});
