import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeRun, replyWith } from '../testing/fake-run.ts';
import { fallbackNotice } from './fallback-notice.ts';

test('an answer by another model than the usual one says so, once', async () => {
  const run = fakeRun();
  const middleware = fallbackNotice.create();
  await middleware.afterModel?.(run, replyWith({ text: 'Hello' }));
  const call = { id: 'c', name: 'f', arguments: '{}' };
  await middleware.afterModel?.(run, replyWith({ model: 'second', text: 'Let me see', toolCalls: [call] }));
  assert.deepEqual(run.events, []);
  for (let n = 0; n < 2; n++) await middleware.afterModel?.(run, replyWith({ model: 'second', text: 'Hello' }));
  assert.deepEqual(run.events, [{ type: 'notice', sentence: 'model_fallback', values: { model: 'second' } }]);
});
