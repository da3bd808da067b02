import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { LogEntry } from './log.ts';
import { assistantWith, filesWith, runTurn } from './testing/run.ts';
import { calls, DONE, delta, hanging, raw, says, startWireServer } from './testing/wire-server.ts';
import type { ChatMessage } from './transcript/messages.ts';
import { validateRequest } from './transcript/validate.ts';

const server = await startWireServer();
after(() => server.close());

const sum = { name: 'calculator', args: { expression: '1+1' } };
const question = { name: 'ask_clarification', args: { question: 'Which?', options: ['A', 'B'] } };
const go = (resumed: readonly LogEntry[] = []) =>
  runTurn(assistantWith(server.model()), 'Do it', { request: { resumed, files: filesWith() } });

test('a run goes on behind the last result of the one that was cut off, and says what that one had said', async () => {
  const call = { index: 0, id: 'a', function: { name: sum.name, arguments: JSON.stringify(sum.args) } };
  server.script(
    raw(delta({ content: 'I count.' }), delta({ tool_calls: [call] }, 'tool_calls'), DONE),
    says('It is 2.'),
  );
  const whole = await go();
  const resumed = whole.entries.slice(0, 2);
  assert.deepEqual(
    resumed.map(({ kind }) => kind),
    ['assistant', 'tool'],
  );

  server.script(says('It is 2.'));
  const { result, events, entries } = await go(resumed);
  assert.deepEqual(result, { status: 'completed', text: 'I count.\n\nIt is 2.' });
  assert.ok(!events.some(({ type }) => type === 'tool_start'));
  assert.equal(entries.length, 1, 'what is there already is not written down again');
  assert.equal(server.seen.length, 1);
  const messages = server.seen[0]?.body.messages ?? [];
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'tool'],
  );
  assert.match(messages.at(-1)?.content ?? '', /^2\n[\s\S]*interrupted[\s\S]*do not repeat/);
  assert.deepEqual(validateRequest(messages as unknown as ChatMessage[]), []);
});

test('a call without a result is told as one that may have taken effect', async () => {
  server.script(calls(sum, { ...sum, id: 'b' }), says('x'));
  const [made, done] = (await go()).entries;
  server.script(says('Done.'));
  await go(made === undefined || done === undefined ? [] : [made, done]);
  assert.match(server.seen[0]?.body.messages.at(-1)?.content ?? '', /interrupted and has no result/);
});

test('files that were to be shown are shown by the run that goes on', async () => {
  server.script(calls({ name: 'send_file', args: { name: 'a.md', content: 'x' } }), says('There.'));
  const first = await go();
  const shown = (outcome: typeof first) =>
    outcome.events.flatMap((event) => (event.type === 'artifact' ? [event.file] : []));
  assert.equal(shown(first).length, 1);
  server.script(says('There.'));
  assert.deepEqual(shown(await go(first.entries.slice(0, 3))), shown(first));
});

test('a question that the person had not seen yet is put by the run that goes on, without asking the model', async () => {
  server.script(calls(question));
  const { entries, result } = await go();
  server.script(says('never'));
  const again = await go(entries.slice(0, 3));
  assert.deepEqual(again.result, result);
  assert.equal(server.seen.length, 0);
});

test('steps that were made before count', async () => {
  const resumed = [1, 2, 3].flatMap((n): LogEntry[] => [
    {
      kind: 'assistant',
      id: `a${n}`,
      at: 0,
      text: '',
      toolCalls: [{ id: `${n}`, name: 'f', arguments: '' }],
      model: 'm',
    },
    { kind: 'tool', id: `t${n}`, at: 0, callId: `${n}`, name: 'f', status: 'ok', text: 'x' },
  ]);
  server.script(says('The end.'));
  const { result } = await runTurn(assistantWith(server.model(), { maxSteps: 3 }), 'Do it', { request: { resumed } });
  assert.deepEqual(result, { status: 'step_limit', text: 'The end.' });
});

test('a result is written down as it comes, while another call of its step goes on', async () => {
  const stop = new AbortController();
  server.script(calls({ name: 'task', id: 'b', args: { description: 'x', prompt: 'x' } }, sum), hanging());
  const subagents = { atOnce: 1, perRun: 1, types: [] };
  const { entries } = await runTurn(assistantWith(server.model(), { subagents }), 'Do it', {
    request: { signal: stop.signal },
    onEvent: (event) => {
      if (event.type === 'entry' && event.entry.kind === 'tool' && event.entry.name === 'calculator') stop.abort();
    },
  });
  const results = entries.flatMap((entry) => (entry.kind === 'tool' ? [[entry.name, entry.cut ?? false]] : []));
  assert.deepEqual(results, [
    ['calculator', false],
    ['task', true],
  ]);
});
