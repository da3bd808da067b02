import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newThreadId } from '../base/ids.ts';
import { messageWith } from '../files/testing/kit.ts';
import { wishesOf } from '../files/wishes.ts';
import { userEntry } from './entries.ts';

test('of very many files in a message none is told of that nobody fetches', () => {
  const message = messageWith(...Array.from({ length: 60 }, () => ({})));
  const fetched = wishesOf(message, newThreadId()).map(({ id }) => id);
  const told = userEntry(message, message.sentAt).files?.map(({ id }) => id);
  assert.deepEqual(told, fetched);
});
