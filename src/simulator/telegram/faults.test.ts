import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Chat, startTelegram, type TelegramSimulator, type User } from './index.ts';
import { type ApiCaller, caller, outcome } from './testing.ts';

describe('a Telegram that misbehaves', () => {
  let telegram: TelegramSimulator;
  let ann: User;
  let chat: Chat;
  let url: string;
  let call: ApiCaller;

  beforeEach(async () => {
    telegram = await startTelegram();
    const bot = telegram.addBot({ username: 'antler_bot' });
    ann = telegram.addUser({ firstName: 'Ann' });
    chat = telegram.openPrivateChat(ann, bot);
    url = `${telegram.url}/bot${bot.token}`;
    call = caller(telegram.url, bot.token);
  });
  afterEach(() => telegram.stop());

  const send = (signal?: AbortSignal) => call('sendMessage', { chat_id: chat.id, text: 'x' }, signal);
  const shown = (): number => telegram.visible(chat).length;

  test('429 for the next calls of one method, then not', async () => {
    telegram.faults.plan('sendMessage', { kind: 'refuse', code: 429, retryAfter: 33 }, 2);
    assert.equal(outcome(await call('getMe')), 'ok');
    for (let round = 0; round < 2; round += 1) assert.equal((await send()).parameters?.retry_after, 33);
    assert.equal(outcome(await send()), 'ok');
    assert.equal(shown(), 1);
  });

  test('409 until it is cleared', async () => {
    telegram.faults.plan('getUpdates', { kind: 'refuse', code: 409 }, Infinity);
    for (let round = 0; round < 3; round += 1) assert.equal((await call('getUpdates')).error_code, 409);
    telegram.faults.clear('getUpdates');
    assert.equal(outcome(await call('getUpdates')), 'ok');
  });

  test('a page of HTML instead of an answer', async () => {
    telegram.faults.plan('*', { kind: 'raw', status: 502, body: '<html>bad gateway</html>' });
    const response = await fetch(`${url}/getMe`);
    assert.equal(response.status, 502);
    assert.match(await response.text(), /^<html>/);
  });

  test('a cut connection, before and after the message was sent', async () => {
    telegram.faults.plan('sendMessage', { kind: 'drop', processed: false });
    await assert.rejects(send());
    assert.equal(shown(), 0);
    telegram.faults.plan('sendMessage', { kind: 'drop', processed: true });
    await assert.rejects(send());
    assert.equal(shown(), 1);
    assert.deepEqual(
      telegram.calls.list('sendMessage').map(({ status }) => status),
      [0, 0],
    );
  });

  test('no answer at all, and a late one', async () => {
    telegram.faults.plan('sendMessage', { kind: 'hang' });
    await assert.rejects(send(AbortSignal.timeout(20)));
    assert.equal(shown(), 0);
    telegram.faults.plan('sendMessage', { kind: 'delay', ms: 20 });
    await send();
    const { at = 0, doneAt = 0 } = telegram.calls.list('sendMessage').at(-1) ?? {};
    assert.ok(doneAt - at >= 19);
  });

  test('it stops at once while polls wait and answers hang', async () => {
    telegram.faults.plan('getMe', { kind: 'hang' });
    const waiting = [call('getUpdates', { timeout: 50 }), call('getMe')].map((pending) => pending.catch(() => 'cut'));
    await telegram.calls.waitFor('getMe', 1);
    await telegram.stop();
    await Promise.all(waiting);
  });
});
