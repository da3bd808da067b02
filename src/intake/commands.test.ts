import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dedupeKey, type InboundMessage } from '../channel/message.ts';
import { messageWith } from '../files/testing/kit.ts';
import { openIntake } from './testing/kit.ts';

const command = (): InboundMessage => ({ ...messageWith(), text: '/whoami' });

test('a command whose gateway died over it is not lost: its redelivery is refused until it can be carried out', async (t) => {
  const { accept, bus } = await openIntake(t);
  const message = command();
  await bus.claims.claim(dedupeKey(message), 60_000);
  await assert.rejects(accept(message), { code: 'unavailable', retryable: true });
  assert.equal(await bus.outbox.pending('chat', 'c1'), 0);
  await bus.claims.release(dedupeKey(message));
  await accept(message);
  assert.equal(await bus.outbox.pending('chat', 'c1'), 1);
});

test('a command is carried out once, however often it is delivered', async (t) => {
  const { accept, bus } = await openIntake(t);
  const message = command();
  const together = await Promise.allSettled([accept(message), accept(message)]);
  assert.equal(together.filter(({ status }) => status === 'fulfilled').length, 1);
  await accept(message);
  assert.equal(await bus.outbox.pending('chat', 'c1'), 1);
});
