import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { assistantWith, newHarness, runTurn } from '../testing/run.ts';
import { calls, DONE, delta, hanging, raw, says, sse, startWireServer, status, torn } from '../testing/wire-server.ts';

const server = await startWireServer();
after(() => server.close());
const ask = (more = {}, options = {}) => runTurn(assistantWith(server.model(more)), 'Hi', options);

/** Streams of which each says the same. */
const hello: Record<string, ReturnType<typeof raw>> = {
  'a plain stream': says('Hel', 'lo'),
  'no [DONE]': raw(delta({ content: 'Hello' }), delta({}, 'stop')),
  'no blank line at the end': raw(delta({ content: 'Hel' }), delta({ content: 'lo' }, 'stop').trimEnd()),
  'CRLF line ends': raw(`${delta({ content: 'Hello' })}${delta({}, 'stop')}${DONE}`.replaceAll('\n', '\r\n')),
  'no space after data:': raw(`${delta({ content: 'Hello' })}${DONE}`.replaceAll('data: ', 'data:')),
  'comments between': raw(': OPENROUTER PROCESSING\n\n', delta({ content: 'Hello' }), ': ping\n\n', DONE),
  'data that is no JSON between': raw('data: ping\n\n', delta({ content: 'Hello' }), 'data:\n\n', DONE),
  'single line ends between records': raw(
    `${delta({ content: 'Hel' })}${delta({ content: 'lo' })}${DONE}`.replaceAll('\n\n', '\n'),
  ),
  'one document instead of a stream': status(200, {
    choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  }),
  'one document, printed over several lines': raw(
    JSON.stringify({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }, null, 2),
  ),
  'lines of JSON': raw(
    `${JSON.stringify({ choices: [{ delta: { content: 'Hel' } }] })}\n`,
    `${JSON.stringify({ choices: [{ delta: { content: 'lo' }, finish_reason: 'stop' }] })}\n`,
  ),
  'content in parts': raw(
    delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
    delta({ content: [{ type: 'text', text: 'Hello' }] }, 'stop'),
    DONE,
  ),
  'thoughts beside the content': raw(
    delta({ reasoning_content: 'Let me think', content: null }),
    delta({ reasoning: 'more' }),
    delta({ content: 'Hello' }, 'stop'),
    DONE,
  ),
  'thoughts in the content': says('<thi', 'nk>secret</th', 'ink>\n\nHel', 'lo'),
  'usage alone at the end, in place of a finish reason': raw(
    delta({ content: 'Hello' }),
    sse({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 1 } }),
  ),
  'an empty error field in every chunk': raw(
    sse({ error: null, choices: [{ delta: { content: 'Hello' }, finish_reason: 'stop' }] }),
  ),
};
for (const [name, script] of Object.entries(hello))
  test(`an answer comes through: ${name}`, async () => {
    server.script(script);
    const { result, screens } = await ask();
    assert.deepEqual(result, { status: 'completed', text: 'Hello' });
    assert.equal(screens.at(-1), 'Hello');
    assert.equal(server.seen.length, 1);
  });

test('characters that are cut between packets come through whole', async () => {
  const bytes = Buffer.from(delta({ content: '谢谢 👍' }, 'stop') + DONE);
  const pieces = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
  server.script(raw(...pieces));
  assert.deepEqual((await ask()).result, { status: 'completed', text: '谢谢 👍' });
});

test('calls without index are two calls, and both run', async () => {
  server.script(
    raw(
      delta({ tool_calls: [{ id: 'c1', function: { name: 'calculator', arguments: '{"expression":"1+1"}' } }] }),
      delta({ tool_calls: [{ id: 'c2', function: { name: 'current_time', arguments: '{}' } }] }),
      delta({}, 'stop'),
      DONE,
    ),
    says('Done'),
  );
  const { events, result } = await ask();
  const ends = events.flatMap((event) => (event.type === 'tool_end' ? [`${event.name} ${event.status}`] : []));
  assert.deepEqual(ends.toSorted(), ['calculator ok', 'current_time ok']);
  assert.equal(result.status, 'completed');
});

test('thoughts are never shown, are kept for the log, and go back only to models that insist on them', async () => {
  for (const replayReasoning of [true, false]) {
    server.script(
      raw(
        delta({ reasoning_content: 'I need the time' }),
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'current_time', arguments: '{}' } }] }),
        delta({}, 'tool_calls'),
        DONE,
      ),
      says('Noon'),
    );
    const { entries, screens } = await ask({ replayReasoning });
    assert.deepEqual(screens, ['Noon']);
    assert.equal(entries[0]?.kind === 'assistant' && entries[0].reasoning, 'I need the time');
    const replayed = server.seen[1]?.body.messages.find((message) => message.role === 'assistant');
    assert.equal(JSON.stringify(replayed).includes('reasoning_content'), replayReasoning);
  }
});

test('a model that begins in thought is noticed, and from then on nothing of its thoughts is shown', async () => {
  const { createHarness } = await import('../index.ts');
  const { silentLogger } = await import('../../base/logger.ts');
  const { impatientClock } = await import('../testing/run.ts');
  const harness = createHarness({ log: silentLogger, clock: impatientClock() });
  server.script(says('secret', '</think>Hello'));
  const first = await ask({}, { harness });
  assert.deepEqual(first.result, { status: 'completed', text: 'Hello' });
  const second = await ask({}, { harness });
  assert.deepEqual(second.screens, ['Hello']);
});

test('one stray closing tag took the text of every later answer that broke off, and their streaming', async () => {
  const harness = newHarness();
  server.script(
    says('The tag ends with </think>, see?'),
    says('Hel', 'lo'),
    raw(delta({ content: 'Cut' }, 'length'), DONE),
  );
  await ask({}, { harness });
  assert.equal((await ask({}, { harness })).result.text, 'Hello');
  const cut = await ask({}, { harness });
  assert.deepEqual(cut.result, { status: 'completed', text: 'Cut' });
  server.script(says('Hel', 'lo'));
  assert.deepEqual((await ask({}, { harness })).screens, ['Hel', 'Hello']);
});

test('thoughts alone are asked for an answer once, then the person is told; they are not posted', async () => {
  for (const message of [
    { content: null, reasoning_content: 'The answer is 4' },
    { content: '', reasoning: 'The answer is 4' },
    { content: '\n', reasoning_content: 'The answer is 4' },
    { content: '<think>The answer is 4' },
  ]) {
    server.script(status(200, { choices: [{ message, finish_reason: 'stop' }] }));
    const { result, screens, entries } = await ask();
    assert.equal(result.status === 'failed' && result.sentence, 'model_empty');
    assert.equal(server.seen.length, 2);
    assert.deepEqual([screens, entries], [[], []]);
    assert.match(server.seen[1]?.body.messages.at(-1)?.content ?? '', /<note>\nYour last answer held no text/);
  }
});

const brokenBefore: Record<string, ReturnType<typeof raw>> = {
  'an error object': raw(sse({ error: { message: 'overloaded', code: 503 } })),
  'an error event': raw('event: error\ndata: {"message":"overloaded"}\n\n'),
  'an error event in words': raw('event: error\ndata: upstream failed\n\n'),
  'an error as one document': status(200, { code: 500, message: 'busy' }),
  'a torn connection': torn(),
  'an empty body': raw(''),
  'comments only': raw(': ping\n\n'),
  'an end without a mark': raw(delta({ role: 'assistant', content: '' })),
  'unreadable data': raw('data: {"choices":[{"del\n\n'),
  'a status of 500': status(500, { error: { message: 'down' } }),
  'a status of 529': status(529, 'overloaded'),
};
for (const [name, script] of Object.entries(brokenBefore))
  test(`broken before a word was shown, it is tried again: ${name}`, async () => {
    server.script(script, script, says('Hello'));
    const { result, screens } = await ask();
    assert.deepEqual(result, { status: 'completed', text: 'Hello' });
    assert.deepEqual(screens, ['Hello']);
    assert.equal(server.seen.length, 3);
  });

const brokenAfter: Record<string, ReturnType<typeof raw>> = {
  'an error object': raw(delta({ content: 'Hel' }), sse({ error: { message: 'overloaded', code: 503 } })),
  'a torn connection': torn(delta({ content: 'Hel' })),
  'an end without a mark': raw(delta({ content: 'Hel' })),
  silence: hanging(delta({ content: 'Hel' })),
};
for (const [name, script] of Object.entries(brokenAfter))
  test(`broken after words were shown, they stay, marked, and nobody answers a second time: ${name}`, async () => {
    server.script(script, says('Hello'));
    const other = await startWireServer();
    other.script(says('From the fallback'));
    const assistant = assistantWith(server.model({ idleTimeoutMs: 400 }), { fallbacks: [other.model()] });
    const { result, screens, entries } = await runTurn(assistant, 'Hi');
    await other.close();
    assert.ok(result.status === 'failed');
    assert.deepEqual(
      [result.text, result.sentence, result.retryable, screens.at(-1)],
      ['Hel', 'model_broken_off', false, 'Hel'],
    );
    assert.deepEqual([server.seen.length, other.seen.length], [1, 0]);
    assert.equal(entries.length, 1);
    assert.ok(entries[0]?.kind === 'assistant' && entries[0].partial === true && entries[0].text === 'Hel');
  });

test('an endpoint that never marks the end of its answers is believed from the second one on', async () => {
  const { createHarness } = await import('../index.ts');
  const { silentLogger } = await import('../../base/logger.ts');
  const { impatientClock } = await import('../testing/run.ts');
  const harness = createHarness({ log: silentLogger, clock: impatientClock() });
  server.script(raw(delta({ content: 'Hello' })));
  assert.equal((await ask({}, { harness })).result.status, 'failed');
  assert.equal((await ask({}, { harness })).result.status, 'completed');
});

test('silence after the finish reason does not hold up the answer', async () => {
  server.script(hanging(delta({ content: 'Hello' }, 'stop')));
  assert.deepEqual((await ask({ idleTimeoutMs: 100 })).result, { status: 'completed', text: 'Hello' });
});

test('a stream that falls silent is given up after the idle time, twice', async () => {
  server.script(hanging());
  const { result } = await ask({ idleTimeoutMs: 60 });
  assert.ok(result.status === 'failed');
  assert.deepEqual([result.code, result.sentence, result.retryable], ['timeout', 'model_unavailable', true]);
  assert.match(result.detail, /no byte within 60 ms/);
  assert.equal(server.seen.length, 2);
});

test('no headers at all are silence, too', async () => {
  server.script(() => {});
  const { result } = await ask({ idleTimeoutMs: 60 });
  assert.equal(result.status === 'failed' && result.code, 'timeout');
});

test('comments keep a slow stream alive, until the whole takes too long', async () => {
  const slow = (pings: number) => async (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let n = 0; n < pings && !response.destroyed; n++) {
      response.write(': ping\n\n');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    response.end(delta({ content: 'Hello' }, 'stop') + DONE);
  };
  server.script(slow(24));
  assert.equal((await ask({ idleTimeoutMs: 400 })).result.status, 'completed');
  server.script(slow(100));
  const { result } = await ask({ idleTimeoutMs: 400, totalTimeoutMs: 600 });
  assert.ok(result.status === 'failed');
  assert.match(result.detail, /no end of the answer within 600 ms/);
});

const refused: Record<string, [number, string]> = {
  stream_options: [400, "Unrecognized request argument supplied: 'stream_options'"],
  tools: [400, 'registry.ollama.ai/library/gemma does not support tools'],
  max_tokens: [400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."],
  temperature: [400, "Unsupported value: 'temperature' does not support 0.3 with this model."],
  reasoning_effort: [400, 'Unrecognized request argument supplied: reasoning_effort'],
};
for (const [part, [code, message]] of Object.entries(refused))
  test(`an endpoint that refuses ${part} is asked once without, and never with it again`, async () => {
    const harness = newHarness();
    const has = (at: number): boolean => JSON.stringify(server.seen[at]?.body).includes(`"${part}":`);
    server.script(status(code, { error: { message } }), says('Hello'));
    const more = { maxOutputTokens: 500, temperature: 0.3, reasoningEffort: 'high' as const };
    assert.equal((await ask(more, { harness })).result.status, 'completed');
    await ask(more, { harness });
    assert.deepEqual([has(0), has(1), has(2), server.seen.length], [true, false, false, 3]);
  });

test('a request that is refused for another reason is not sent again', async () => {
  server.script(status(400, { error: { message: 'messages with role tool must follow tool_calls' } }));
  assert.equal((await ask()).result.status, 'failed');
  assert.equal(server.seen.length, 1);
});

test('what an endpoint counts is reported; where it does not count, an estimate is', async () => {
  const usage = { prompt_tokens: 50, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 40 } };
  server.script(raw(delta({ content: 'Hello' }, 'stop'), sse({ choices: [], usage }), DONE));
  const counted = (await ask()).events.find((event) => event.type === 'usage');
  assert.deepEqual(counted, { type: 'usage', model: 'main', inputTokens: 50, outputTokens: 7, cachedTokens: 40 });

  server.script(says('Hello'));
  const estimated = (await ask()).events.find((event) => event.type === 'usage');
  assert.ok(estimated?.type === 'usage' && estimated.inputTokens > 100 && estimated.outputTokens > 0);
});

test('the key is sent, and none where there is none', async () => {
  server.script(says('Hello'));
  await ask();
  assert.equal(server.seen[0]?.authorization, 'Bearer sk-secret-key');
  await ask({ apiKey: '' });
  assert.equal(server.seen[1]?.authorization, undefined);
});

test('the address of the call itself works as the base URL', async () => {
  server.script(says('Hello'));
  for (const baseUrl of [server.url, `${server.url}/`, `${server.url}/chat/completions`]) await ask({ baseUrl });
  assert.deepEqual(
    server.seen.map((request) => request.path),
    Array(3).fill('/v1/chat/completions'),
  );
});

test('one connection serves one answer after another, also when the end of a body comes a little late', async () => {
  let connections = 0;
  const own = await startWireServer({ onConnection: () => connections++ });
  own.script(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta({ content: 'Hello' }, 'stop') + DONE);
    await new Promise((resolve) => setTimeout(resolve, 5));
    response.end();
  });
  for (let n = 0; n < 4; n++) {
    await runTurn(assistantWith(own.model()), 'Hi');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await own.close();
  assert.ok(connections < 4, `${connections} connections`);
});

test('tool calls of a stream that broke are not run', async () => {
  const call = { index: 0, id: 'a', function: { name: 'calculator', arguments: '{"expression":"1+1"}' } };
  server.script(
    torn(delta({ tool_calls: [call] })),
    calls({ name: 'calculator', args: { expression: '2' } }),
    says('2'),
  );
  const { events } = await ask();
  assert.equal(events.filter((event) => event.type === 'tool_start').length, 1);
});

test('a thought signature comes back to the endpoint with its call, without which Gemini refuses the history', async () => {
  const extra_content = { google: { thought_signature: 'sig' } };
  const called = { name: 'calculator', arguments: '{"expression":"1+1"}' };
  const tool_calls = [{ index: 0, id: 'c1', type: 'function', function: called, extra_content }];
  server.script(raw(delta({ tool_calls }), delta({}, 'tool_calls'), DONE), says('2'));
  await ask();
  assert.match(
    JSON.stringify(server.seen[1]?.body.messages),
    /"extra_content":\{"google":\{"thought_signature":"sig"\}\}/,
  );
});
