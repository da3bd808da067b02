import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadKey } from '../base/ids.ts';
import { messageWith } from '../files/testing/kit.ts';
import { isBusyAt, stateAt, stopAt } from './conversation.ts';
import { openIntake } from './testing/kit.ts';

const place = threadKey({ channel: 'chat', chat: 'c1' });
const stranger = { id: 'u2', name: 'Eve', isBot: false };

test('a stranger who takes a message back, or asks for something to be stopped, begins no conversation', async (t) => {
  const rooms = await openIntake(t);
  await rooms.accept({ ...messageWith(), sender: stranger, kind: 'recall' });
  assert.equal(await stopAt(rooms, place), false);
  assert.equal(await isBusyAt(rooms, place), false);
  assert.deepEqual(await stateAt(rooms, place), { state: 'idle', waiting: 0 });
  assert.equal(await rooms.store.threads.find(place), null);
});

test('a place is busy from the first message until it is taken back', async (t) => {
  const rooms = await openIntake(t);
  const message = messageWith();
  await rooms.accept(message);
  assert.equal(await isBusyAt(rooms, place), true);
  await rooms.accept({ ...message, kind: 'recall' });
  assert.equal(await isBusyAt(rooms, place), false);
});
