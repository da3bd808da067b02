import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { AntlerError } from '../base/errors.ts';
import { silentLogger } from '../base/logger.ts';
import { messageWith } from '../files/testing/kit.ts';
import { createPairing } from './pairing.ts';
import { openIntake } from './testing/kit.ts';

test('a code whose owner could not be told that they are let in can be approved again, until they are', async (t) => {
  const { store } = await openIntake(t);
  const faults = [new AntlerError('unavailable', 'Redis is away', { retryable: true })];
  const told: string[] = [];
  const tell = async (_: unknown, id: string): Promise<boolean> => {
    const fault = faults.shift();
    if (fault !== undefined) throw fault;
    told.push(id);
    return true;
  };
  const pairing = createPairing({ store, tell, log: silentLogger, clock: systemClock });
  await pairing.ask(messageWith(), 'en');
  const [{ code } = { code: '' }] = await pairing.pending();
  await assert.rejects(pairing.approve(code, 'owner'), { code: 'unavailable' });
  assert.equal((await pairing.approve(code, 'owner')).name, 'Ann');
  assert.deepEqual(told, [`pairing/${code}/pairing_approved`]);
  await assert.rejects(pairing.approve(code, 'owner'), { code: 'not_found' });
  assert.deepEqual(await pairing.pending(), []);
  assert.equal(await pairing.isAdmitted('chat', 'u1'), true);
});
