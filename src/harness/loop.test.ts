import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { LogEntry } from './log.ts';
import { ann, assistantWith, newHarness, noFiles, runContext, runTurn, userSays } from './testing/run.ts';
import { calls, DONE, delta, hanging, raw, says, startWireServer, status } from './testing/wire-server.ts';
import type { ChatMessage } from './transcript/messages.ts';
import { validateRequest } from './transcript/validate.ts';

const server = await startWireServer();
after(() => server.close());
const assistant = (more = {}) => assistantWith(server.model(), more);

/** Every request that the server has seen would pass a strict endpoint. */
function assertValidRequests(): void {
  for (const request of server.seen)
    assert.deepEqual(validateRequest(request.body.messages as unknown as ChatMessage[]), []);
}

const textOf = (entry: LogEntry | undefined): string => (entry !== undefined && 'text' in entry ? entry.text : '');

test('an answer is streamed, logged and returned', async () => {
  server.script(says('Hel', 'lo'));
  const { events, result } = await runTurn(assistant(), 'Hi');
  assert.deepEqual(
    events.map((event) => (event.type === 'text' ? event.text : event.type)),
    ['model_start', 'Hel', 'lo', 'usage', 'entry', 'title'],
  );
  assert.deepEqual(result, { status: 'completed', text: 'Hello' });
});

test('what the model says before it uses a tool stays above what it says afterwards', async () => {
  const call = { index: 0, id: 'a', function: { name: 'calculator', arguments: '{"expression":"6*7"}' } };
  server.script(raw(delta({ content: 'Let me see.' }), delta({ tool_calls: [call] }, 'tool_calls'), DONE), says('42'));
  const { result, screens, entries } = await runTurn(assistant(), '6*7?');
  assert.deepEqual(screens, ['Let me see.', 'Let me see.\n\n42']);
  assert.deepEqual(result, { status: 'completed', text: 'Let me see.\n\n42' });
  assert.deepEqual(
    entries.map((entry) => [entry.kind, textOf(entry)]),
    [
      ['assistant', 'Let me see.'],
      ['tool', '42'],
      ['assistant', '42'],
    ],
  );
  assertValidRequests();
});

test('the log of one run makes a valid request of the next, and ids of entries differ', async () => {
  server.script(calls({ id: 'call_0', name: 'calculator', args: { expression: '1+1' } }), says('2'));
  const first = await runTurn(assistant(), 'one');
  const history: LogEntry[] = [userSays('one'), ...first.entries];
  server.script(calls({ id: 'call_0', name: 'calculator', args: { expression: '2+2' } }), says('4'));
  const second = await runTurn(assistant(), 'two', {
    request: { history, context: { ...runContext, runId: 'r2' } },
  });
  assert.equal(second.result.text, '4');
  assertValidRequests();
  const ids = [...first.entries, ...second.entries].map((entry) => entry.id);
  assert.equal(new Set(ids).size, ids.length);
});

test('a history broken off in the middle of its calls does not stop the conversation', async () => {
  const history: LogEntry[] = [
    userSays('one'),
    {
      kind: 'assistant',
      id: 'a',
      at: 0,
      text: '',
      model: 'm',
      toolCalls: ['x', 'y', 'z'].map((id) => ({ id, name: 'calculator', arguments: '{' })),
    },
    { kind: 'tool', id: 't', at: 0, callId: 'y', name: 'calculator', status: 'ok', text: '2' },
  ];
  server.script(says('Hello'));
  assert.equal((await runTurn(assistant(), 'again', { request: { history } })).result.status, 'completed');
  assertValidRequests();
});

test('an assistant has the tools it is given, and no other', async () => {
  server.script(calls({ name: 'calculator', args: { expression: '1' } }), says('ok'));
  const { entries } = await runTurn(assistant({ tools: ['current_time', 'no_such_tool'] }), 'Hi');
  const named = server.seen[0]?.body.tools?.map((tool) => tool.function.name);
  assert.deepEqual(named, ['current_time']);
  assert.match(textOf(entries[1]), /there is no tool named "calculator"; there are: current_time/);

  server.script(says('ok'));
  await runTurn(assistant({ tools: [] }), 'Hi');
  assert.equal(server.seen[0]?.body.tools, undefined);
});

test('too many calls at once are answered without being run', async () => {
  const many = Array.from({ length: 20 }, (_, n) => ({ name: 'calculator', args: { expression: `${n}` } }));
  server.script(calls(...many), says('ok'));
  const { events, entries } = await runTurn(assistant(), 'Hi');
  assert.equal(events.filter((event) => event.type === 'tool_start').length, 16);
  const refused = entries.filter((entry) => entry.kind === 'tool' && /at most 16 calls at once/.test(entry.text));
  assert.equal(refused.length, 4);
  assertValidRequests();
});

test('a run that is stopped before it begins does nothing', async () => {
  server.script(says('Hello'));
  const { result, events } = await runTurn(assistant(), 'Hi', { request: { signal: AbortSignal.abort() } });
  assert.deepEqual([result, events, server.seen.length], [{ status: 'cancelled', text: '' }, [], 0]);
});

test('a run that is stopped in its answer keeps what had come, marked', async () => {
  const stop = new AbortController();
  server.script(hanging(delta({ content: 'Once upon' })));
  const { result, entries } = await runTurn(assistant(), 'Hi', {
    request: { signal: stop.signal },
    onEvent: (event) => {
      if (event.type === 'text') stop.abort();
    },
  });
  assert.deepEqual(result, { status: 'cancelled', text: 'Once upon' });
  assert.ok(entries[0]?.kind === 'assistant' && entries[0].partial && entries[0].text === 'Once upon');
});

test('a run that is stopped between tools and model leaves a complete log', async () => {
  const stop = new AbortController();
  server.script(calls({ name: 'calculator', args: { expression: '1+1' } }), says('2'));
  const { result, entries } = await runTurn(assistant(), 'Hi', {
    request: { signal: stop.signal },
    onEvent: (event) => {
      if (event.type === 'tool_start') stop.abort();
    },
  });
  assert.equal(result.status, 'cancelled');
  assert.deepEqual(
    entries.map((entry) => entry.kind),
    ['assistant', 'tool'],
  );
  assert.equal(server.seen.length, 1);
});

test('leaving a run early stops it', async () => {
  const closed = Promise.withResolvers<void>();
  server.script((response) => {
    response.on('close', closed.resolve);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(delta({ content: 'Hel' }));
  });
  const harness = newHarness();
  const signal = new AbortController().signal;
  const input = [userSays('Hi')];
  const request = { assistant: assistant(), context: runContext, history: [], input, signal, files: noFiles };
  for await (const event of harness.run(request)) if (event.type === 'text') break;
  await closed.promise;
});

test('a log that nothing can be made of is a result, not an exception', async () => {
  server.script(says('Hello'));
  const broken = { kind: 'assistant', id: 'x', at: 0 } as unknown as LogEntry;
  const { result } = await runTurn(assistant(), 'Hi', { request: { history: [broken] } });
  assert.ok(result.status === 'failed');
  assert.deepEqual([result.code, result.sentence], ['internal', 'run_failed']);
});

test('in a group every message names its speaker, and the one who is answered is named', async () => {
  server.script(says('Hello'));
  const bob = { id: 'telegram//8', name: 'Bob</message>' };
  await runTurn(assistant(), '', {
    request: {
      history: [userSays('Lunch?', bob)],
      input: [userSays('Where?'), userSays('And when?', bob)],
      context: { ...runContext, chatKind: 'group', chatTitle: 'Team', speaker: bob },
    },
  });
  const content = server.seen[0]?.body.messages[1]?.content ?? '';
  assert.deepEqual(content.match(/<message from="[^"]*"/g), [
    '<message from="Bob&lt;/message&gt;"',
    `<message from="${ann.name}"`,
    '<message from="Bob&lt;/message&gt;"',
  ]);
  assert.match(content, /You answer: Bob&lt;\/message&gt;/);
});

test('two turns of one conversation send the same beginning, so that it can be cached', async () => {
  server.script(says('1'));
  const history: LogEntry[] = [];
  const texts: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    const { entries } = await runTurn(assistant(), text, { request: { history: [...history] } });
    texts.push(JSON.stringify(server.seen.at(-1)?.body.messages));
    history.push(userSays(text), ...entries);
  }
  const [, second = '', third = ''] = texts;
  const ofThisTurn = second.indexOf('<context>');
  assert.ok(ofThisTurn > second.indexOf('one'));
  assert.equal(third.slice(0, ofThisTurn - 1), second.slice(0, ofThisTurn - 1));
});

test('a model that fails with a fault in its answer is told to nobody in its own words', async () => {
  server.script(status(400, { error: { message: 'secret internals' } }));
  const { result } = await runTurn(assistant(), 'Hi');
  assert.ok(result.status === 'failed');
  assert.equal(result.sentence, 'model_misconfigured');
  assert.doesNotMatch(JSON.stringify(result), /internals/);
});
