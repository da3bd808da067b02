import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import OpenAI, { APIError } from 'openai';
import { type ModelSimulator, refuse, startModel, text, tools } from './index.ts';

const ask = [{ role: 'user' as const, content: 'hi' }];

describe('the simulated model', () => {
  let model: ModelSimulator;
  let client: OpenAI;

  before(async () => {
    model = await startModel({ apiKey: 'k' });
    client = new OpenAI({ baseURL: model.url, apiKey: 'k', maxRetries: 0 });
  });
  after(() => model.stop());
  beforeEach(() => model.handle(undefined));

  const stream = async (): Promise<OpenAI.ChatCompletionChunk[]> => {
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    const answer = await client.chat.completions.create({
      model: 'm',
      messages: ask,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of answer) chunks.push(chunk);
    return chunks;
  };
  const textOf = (chunks: readonly OpenAI.ChatCompletionChunk[]): string =>
    chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');

  test('streams scripted text, and usage last', async () => {
    model.script(text('谢', '谢', ' ok'));
    const chunks = await stream();
    assert.equal(textOf(chunks), '谢谢 ok');
    assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop');
    assert.deepEqual(chunks.at(-1)?.choices, []);
    assert.ok((chunks.at(-1)?.usage?.total_tokens ?? 0) > 0);
  });

  test('calls tools, streamed and in one piece', async () => {
    model.script(tools(['f', { a: 1 }], ['g', '{"b"']), tools(['f', { a: 1 }]));
    const deltas = (await stream()).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    const argumentsOf = (index: number): string =>
      deltas.flatMap((call) => (call.index === index ? [call.function?.arguments ?? ''] : [])).join('');
    assert.deepEqual([argumentsOf(0), argumentsOf(1)], ['{"a":1}', '{"b"']);
    const whole = await client.chat.completions.create({ model: 'm', messages: ask });
    assert.equal(whole.choices[0]?.finish_reason, 'tool_calls');
    assert.equal(whole.choices[0]?.message.tool_calls?.length, 1);
  });

  test('refuses with status and Retry-After', async () => {
    model.script(refuse(429, 'slow down', 7));
    await assert.rejects(stream(), (error) => {
      assert.ok(error instanceof APIError);
      assert.equal(error.status, 429);
      assert.equal(error.headers?.get('retry-after'), '7');
      return true;
    });
  });

  test('breaks a stream by an error object, by a cut, and by ending too early', async () => {
    model.script({
      parts: [
        { kind: 'text', text: 'Hel' },
        { kind: 'error', error: { message: 'overloaded', code: 503 } },
      ],
    });
    await assert.rejects(stream(), /overloaded/);
    model.script({ parts: [{ kind: 'text', text: 'Hel' }, { kind: 'cut' }] });
    await assert.rejects(stream());
    model.script({ parts: [{ kind: 'text', text: 'Hel' }, { kind: 'end' }] });
    assert.equal(textOf(await stream()), 'Hel');
  });

  test('notices a caller that hangs up', async () => {
    model.script({ parts: [{ kind: 'text', text: 'Hel' }, { kind: 'hang' }] });
    const answer = await client.chat.completions.create({ model: 'm', messages: ask, stream: true });
    for await (const _ of answer) break;
    const record = model.requests.at(-1);
    while (record?.aborted === false) await new Promise(setImmediate);
    assert.equal(record?.aborted, true);
  });

  test('asks the handler when no step is left, and refuses without one', async () => {
    model.handle(({ messages }) => text(`heard ${messages.at(-1)?.text}`));
    assert.equal(textOf(await stream()), 'heard hi');
    model.handle(undefined);
    await assert.rejects(stream(), /end/);
  });

  test('refuses a wrong key, and transcripts with dangling tool calls', async () => {
    const stranger = new OpenAI({ baseURL: model.url, apiKey: 'other', maxRetries: 0 });
    await assert.rejects(stranger.models.list(), /401/);
    const call = { id: 'c1', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const dangling = [...ask, { role: 'assistant' as const, content: null, tool_calls: [call] }, ...ask];
    await assert.rejects(client.chat.completions.create({ model: 'm', messages: dangling }), /c1/);
  });
});

test('a model stops at once, although a reply hangs', async () => {
  const model = await startModel();
  model.script({ parts: [{ kind: 'wait', ms: 60_000 }] });
  const pending = fetch(`${model.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: ask, stream: true }),
  }).then((response) => response.text());
  pending.catch(() => {});
  await model.waitForRequests(1);
  await model.stop();
  await assert.rejects(pending);
});
