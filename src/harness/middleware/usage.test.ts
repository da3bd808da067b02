import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftWith, fakeRun, replyWith } from '../testing/fake-run.ts';
import { usage } from './usage.ts';

test('what a step took is reported under the model that answered', async () => {
  const run = fakeRun();
  const took = { inputTokens: 5, outputTokens: 2, cachedTokens: 1 };
  await usage.create().wrapModel?.(run, draftWith(), async () => replyWith({ model: 'second', usage: took }));
  assert.deepEqual(run.events, [{ type: 'usage', model: 'second', ...took }]);
});
