import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageWith } from '../files/testing/kit.ts';
import { DoubleClicks } from './double-clicks.ts';
import type { InboundMessage } from './message.ts';

const press = (id: string, sentAt: number, more: Partial<InboundMessage> = {}): InboundMessage => ({
  ...{ ...messageWith(), kind: 'action', id, sentAt, text: 'yes' },
  quote: { messageId: 'm1', fromBot: true, text: '', files: [] },
  ...more,
});

test('a button that one person presses twice in a moment was pressed once', () => {
  const clicks = new DoubleClicks();
  assert.equal(clicks.isSecond(press('1', 1_000)), false);
  assert.equal(clicks.isSecond(press('2', 1_400)), true);
  assert.equal(clicks.isSecond(press('1', 1_000)), false, 'the first is delivered again');
  assert.equal(clicks.isSecond(press('3', 1_400, { sender: { id: 'u2', name: 'Bo', isBot: false } })), false);
  assert.equal(clicks.isSecond(press('4', 1_400, { text: 'no' })), false);
  assert.equal(clicks.isSecond(press('5', 4_000)), false);
  assert.equal(clicks.isSecond(press('6', 4_000, { kind: 'message' })), false);
});

test('after a press that came to nothing the next one counts', () => {
  const clicks = new DoubleClicks();
  const lost = press('1', 1_000);
  assert.equal(clicks.isSecond(lost), false);
  clicks.forget(lost);
  assert.equal(clicks.isSecond(press('2', 1_100)), false);
});
