import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freePort } from '../../testing/services.ts';
import { assistantWith, impatientClock, newHarness, runTurn } from '../testing/run.ts';
import { calls, delta, hanging, says, startWireServer, status } from '../testing/wire-server.ts';

const [first, second] = [await startWireServer(), await startWireServer()];
after(() => Promise.all([first.close(), second.close()]));
const down = status(503, { error: { message: 'down' } });
const withFallback = () =>
  assistantWith(first.model({ name: 'first' }), {
    fallbacks: [second.model({ name: 'second', model: 'other-model' })],
  });

test('requests are exactly the attempts: no retries are hidden in the client', async () => {
  const clock = impatientClock();
  first.script(down);
  const { result } = await runTurn(assistantWith(first.model()), 'Hi', { clock });
  assert.ok(result.status === 'failed');
  assert.deepEqual([result.code, result.sentence, result.retryable], ['unavailable', 'model_unavailable', true]);
  assert.equal(first.seen.length, 3);
  assert.equal(clock.slept.length, 2);
  for (const ms of clock.slept) assert.ok(ms >= 500 && ms <= 8000, String(ms));
});

test('what will not get better is not tried again', async () => {
  for (const [code, body, sentence] of [
    [401, { error: { message: 'Incorrect API key provided: sk-secret-key' } }, 'model_unauthorized'],
    [403, {}, 'model_unauthorized'],
    [402, {}, 'model_no_credit'],
    [404, { error: { code: 'model_not_found' } }, 'model_misconfigured'],
    [400, { error: { code: 'content_filter' } }, 'model_refused'],
    [429, { error: { code: 'insufficient_quota' } }, 'model_no_credit'],
    [200, '<!doctype html><title>Sign in</title>', 'model_misconfigured'],
  ] as const) {
    first.script(status(code, body));
    const { result } = await runTurn(assistantWith(first.model()), 'Hi');
    assert.ok(result.status === 'failed');
    assert.deepEqual([result.sentence, result.retryable, first.seen.length], [sentence, false, 1], String(code));
    assert.doesNotMatch(result.detail, /secret|Incorrect|Sign in/);
  }
});

test('a wait that the endpoint asks for is waited', async () => {
  const clock = impatientClock();
  first.script(status(429, {}, { 'retry-after': '3' }), says('Hello'));
  const { result } = await runTurn(assistantWith(first.model()), 'Hi', { clock });
  assert.equal(result.status, 'completed');
  assert.deepEqual(clock.slept, [3000]);
});

test('a long wait is handed on instead of holding the worker, and is capped', async () => {
  const clock = impatientClock();
  first.script(status(429, {}, { 'retry-after': '3600' }));
  const { result } = await runTurn(assistantWith(first.model()), 'Hi', { clock });
  assert.ok(result.status === 'failed');
  assert.deepEqual([result.sentence, result.retryable, result.retryAfterMs], ['model_busy', true, 60_000]);
  assert.deepEqual([first.seen.length, clock.slept], [1, []]);
});

test('the fallback answers when the model fails, with attempts of its own and under its own name', async () => {
  first.script(down);
  second.script(down, says('Hello'));
  const { result, entries, events } = await runTurn(withFallback(), 'Hi');
  assert.deepEqual(result, { status: 'completed', text: 'Hello' });
  assert.deepEqual([first.seen.length, second.seen.length], [3, 2]);
  assert.equal(second.seen[0]?.body.model, 'other-model');
  assert.ok(entries[0]?.kind === 'assistant' && entries[0].model === 'second');
  const asked = events.flatMap((event) => (event.type === 'model_start' ? [event.model] : []));
  assert.deepEqual(asked, ['first', 'second']);
});

test('when all fail, the detail names each', async () => {
  first.script(status(401, {}));
  second.script(down);
  const { result } = await runTurn(withFallback(), 'Hi');
  assert.ok(result.status === 'failed');
  assert.match(result.detail, /model first .*HTTP 401.*; then model second .*HTTP 503/);
});

test('tools that have run do not run again when the model fails later, and the run is not repeated', async () => {
  first.script(calls({ name: 'calculator', args: { expression: '1+1' } }), down);
  second.script(says('2'));
  const { result, events } = await runTurn(withFallback(), 'Hi');
  assert.deepEqual(result, { status: 'completed', text: '2' });
  assert.equal(events.filter((event) => event.type === 'tool_start').length, 1);

  first.script(calls({ name: 'calculator', args: { expression: '1+1' } }), down);
  const alone = await runTurn(assistantWith(first.model()), 'Hi');
  assert.ok(alone.result.status === 'failed' && !alone.result.retryable);
});

test('a request that is too long is sent again with less history', async () => {
  const history = Array.from({ length: 30 }, (_, n) => ({
    kind: 'user' as const,
    id: `${n}`,
    at: 0,
    speaker: { id: 'x', name: 'Ann' },
    text: `${n} ${'word '.repeat(300)}`,
  })).flatMap((entry) => [entry, { ...entry, kind: 'assistant' as const, text: 'ok', toolCalls: [], model: 'm' }]);
  const tooLong = status(400, { error: { code: 'context_length_exceeded' } });
  first.script(tooLong, says('Hello'));
  const { result } = await runTurn(assistantWith(first.model()), 'Hi', { request: { history } });
  assert.equal(result.status, 'completed');
  const [before = 0, afterwards = 0] = first.seen.map((request) => JSON.stringify(request.body).length);
  assert.ok(afterwards < before * 0.7, `${before} → ${afterwards}`);

  first.script(tooLong);
  const full = await runTurn(assistantWith(first.model()), 'Hi', { request: { history } });
  assert.ok(full.result.status === 'failed' && full.result.sentence === 'context_full');
  assert.equal(first.seen.length, 3);
  await runTurn(assistantWith(first.model()), 'Hi');
  assert.equal(first.seen.length, 4, 'what cannot be shortened is not sent again');
});

test('a stop while waiting to try again ends the run, and nothing is sent after it', async () => {
  const stop = new AbortController();
  const clock = {
    now: () => 0,
    sleep: async (_ms: number, signal?: AbortSignal) => {
      stop.abort();
      signal?.throwIfAborted();
    },
  };
  first.script(down);
  second.script(says('Hello'));
  const { result } = await runTurn(withFallback(), 'Hi', { clock, request: { signal: stop.signal } });
  assert.deepEqual(result, { status: 'cancelled', text: '' });
  assert.deepEqual([first.seen.length, second.seen.length], [1, 0]);
});

test('a stop never turns to the fallback', async () => {
  const stop = new AbortController();
  first.script(hanging(delta({ content: 'Hel' })));
  second.script(says('Hello'));
  const { result } = await runTurn(withFallback(), 'Hi', {
    request: { signal: stop.signal },
    onEvent: (event) => {
      if (event.type === 'text') stop.abort();
    },
  });
  assert.deepEqual(result, { status: 'cancelled', text: 'Hel' });
  assert.equal(second.seen.length, 0);
});

test('after outages in a row each run asks once, and the first answer ends that', async () => {
  const harness = newHarness();
  const assistant = assistantWith(first.model());
  first.script(down);
  for (let n = 0; n < 2; n++) await runTurn(assistant, 'Hi', { harness });
  assert.equal(first.seen.length, 5, 'the breaker opens in the second run');
  await runTurn(assistant, 'Hi', { harness });
  assert.equal(first.seen.length, 6);
  first.script(says('Hello'));
  assert.equal((await runTurn(assistant, 'Hi', { harness })).result.status, 'completed');
});

test('a model that keeps failing rests while there is a fallback', async () => {
  const harness = newHarness();
  first.script(down);
  second.script(says('Hello'));
  for (let n = 0; n < 3; n++) await runTurn(withFallback(), 'Hi', { harness });
  const soFar = first.seen.length;
  assert.equal((await runTurn(withFallback(), 'Hi', { harness })).result.status, 'completed');
  assert.equal(first.seen.length, soFar);
});

test('nobody listening is an outage with a reason', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
  const { result } = await runTurn(assistantWith(first.model({ baseUrl })), 'Hi');
  assert.ok(result.status === 'failed');
  assert.equal(result.code, 'unavailable');
  assert.match(result.detail, /connection refused/);
});
