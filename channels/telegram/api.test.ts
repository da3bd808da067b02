import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTelegram } from '../../src/simulator/telegram/index.ts';
import { createApi, fetchIdentity } from './api.ts';

test('a call that gets no answer ends: uncertain if it may have worked, else to be made again', async () => {
  const telegram = await startTelegram();
  const { token } = telegram.addBot({ username: 'antler_bot' });
  const api = await createApi(token, telegram.url);
  telegram.faults.plan('*', { kind: 'hang' }, Infinity);
  const options = { timeoutMs: 30 };
  await assert.rejects(api.call('sendMessage', {}, options), { code: 'uncertain' });
  await assert.rejects(api.call('getUpdates', {}, { ...options, idempotent: true }), {
    code: 'unavailable',
    retryable: true,
  });
  const stop = new AbortController();
  const waiting = api.call('getUpdates', {}, { signal: stop.signal, idempotent: true });
  stop.abort();
  await assert.rejects(waiting, { code: 'cancelled' });
  await assert.rejects(api.call('sendMessage', {}, { signal: stop.signal }), { code: 'cancelled' });
  await telegram.stop();
});

test('what is no Bot API is not taken for one', async () => {
  const telegram = await startTelegram();
  const { token } = telegram.addBot({ username: 'antler_bot' });
  const api = await createApi(token, `${telegram.url}/`);
  assert.equal((await fetchIdentity(api)).username, 'antler_bot');
  telegram.faults.plan('getMe', { kind: 'raw', status: 200, body: '{"ok":true,"result":"hello"}' });
  await assert.rejects(fetchIdentity(api), { code: 'unavailable' });
  await telegram.stop();
});
