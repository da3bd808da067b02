import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Clock } from '../../base/clock.ts';
import { AntlerError } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import type { Journal } from './journal.ts';
import { createPersistence } from './persist.ts';

const full = new AntlerError('unavailable', 'database or disk is full', { retryable: true });

/** A journal whose writes fail with these errors, one after another, before they work. */
function failing(errors: readonly Error[]): Journal {
  const left = [...errors];
  return {
    onUndone: () => {},
    prepare: () => {
      throw new Error('not needed');
    },
    write: async (step) => {
      const error = left.shift();
      if (error !== undefined) throw error;
      return step();
    },
    trim: () => 0,
    close: () => {},
  };
}

const patient: Clock = { now: () => 0, sleep: async () => {} };
const asleep: Clock = {
  now: () => 0,
  sleep: (_ms, signal) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
};

it('writes as soon as the disk has room again', async () => {
  const { persist } = createPersistence(failing([full, full, full]), patient, silentLogger);
  assert.equal(await persist(() => 'written'), 'written');
});

it('does not try again what cannot work', async () => {
  const { persist } = createPersistence(failing([new Error('a bug')]), patient, silentLogger);
  await assert.rejects(
    persist(() => 'written'),
    { message: 'a bug' },
  );
});

it('gives up when the bus is closed', async () => {
  const persistence = createPersistence(failing([full, full]), asleep, silentLogger);
  const writing = persistence.persist(() => 'written');
  await new Promise((resolve) => setImmediate(resolve));
  persistence.stop();
  await assert.rejects(writing);
  await assert.rejects(
    persistence.persist(() => 'written'),
    { code: 'unavailable' },
  );
});
