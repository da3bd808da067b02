import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assistantWith, runTurn } from '../testing/run.ts';
import { calls, says, startWireServer } from '../testing/wire-server.ts';

const server = await startWireServer();
after(() => server.close());
const sum = (n: number) => calls({ id: `c${n}`, name: 'calculator', args: { expression: `${n}+1` } });

test('after so many steps one last answer is asked for, without tools', async () => {
  server.script(sum(1), sum(2), says('This is how far I got.'));
  const { result } = await runTurn(assistantWith(server.model(), { maxSteps: 2 }), 'Hi');
  assert.deepEqual(result, { status: 'step_limit', text: 'This is how far I got.' });
  const last = server.seen.at(-1)?.body;
  assert.equal(last?.tools, undefined);
  assert.match(last?.messages.at(-1)?.content ?? '', /<note>\nYou have used all the steps/);
  assert.notEqual(server.seen[1]?.body.tools, undefined);
});

test('a model that goes on calling tools ends with a sentence, and nothing is run any more', async () => {
  server.script(sum(1), sum(2), sum(3));
  const { result, events, entries } = await runTurn(assistantWith(server.model(), { maxSteps: 2 }), 'Hi');
  assert.deepEqual(result, { status: 'step_limit', text: '' });
  const kept = entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.toolCalls : []));
  assert.deepEqual(
    kept.map(({ id }) => id),
    ['c1', 'c2'],
    'a call that was not run leaves no trace',
  );
  assert.equal(server.seen.length, 3);
  assert.equal(events.filter((event) => event.type === 'tool_start').length, 2);
  const notices = events.filter((event) => event.type === 'notice');
  assert.deepEqual(notices, [{ type: 'notice', sentence: 'step_limit', values: { steps: 2 } }]);
});
