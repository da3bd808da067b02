import assert from 'node:assert/strict';
import { test } from 'node:test';
import { senderKey } from '../channel/message.ts';
import { messageWith } from '../files/testing/kit.ts';
import { openIntake } from './testing/kit.ts';

test('whoever writes is known by the name and language that they have now', async (t) => {
  const { accept, store } = await openIntake(t);
  const message = messageWith();
  await accept(message);
  const before = await store.imUsers.get(senderKey(message));
  assert.deepEqual([before?.name, before?.language], ['Ann', null]);
  await accept({ ...messageWith(), sender: { ...message.sender, name: 'Anna', language: 'de' } });
  const after = await store.imUsers.get(senderKey(message));
  assert.deepEqual([after?.name, after?.language, after?.person], ['Anna', 'de', before?.person]);
});

test('somebody who is known is not written down before their message is taken in', async (t) => {
  const steps: string[] = [];
  const { accept, bus, store } = await openIntake(t, { admitted: () => void steps.push('taken in') });
  await accept(messageWith());
  const { see } = store.imUsers;
  t.mock.method(store.imUsers, 'see', (...seen: Parameters<typeof see>) => {
    steps.push('written down');
    return see(...seen);
  });
  steps.length = 0;
  await accept(messageWith());
  assert.deepEqual(steps, ['taken in', 'written down']);
  assert.equal((await bus.stats()).waitingInputs, 2);
});
