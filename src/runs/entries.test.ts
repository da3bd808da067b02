import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageWith } from '../files/testing/kit.ts';
import { userEntry } from './entries.ts';

test('a quote of which nothing is told is none; one of a file alone is', () => {
  const quote = { messageId: 'm1', fromBot: true, text: '', files: [] };
  const message = messageWith();
  assert.equal(userEntry({ ...message, quote }, message.sentAt).quote, undefined);
  const files = [{ id: 'f', kind: 'image', name: 'a.png' } as const];
  assert.equal(userEntry({ ...message, quote: { ...quote, files } }, message.sentAt).quote?.files?.length, 1);
  assert.equal(userEntry({ ...message, quote: { ...quote, text: 'why?' } }, message.sentAt).quote?.text, 'why?');
});
