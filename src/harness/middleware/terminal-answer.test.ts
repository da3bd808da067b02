import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assistantWith, runTurn } from '../testing/run.ts';
import { calls, says, startWireServer } from '../testing/wire-server.ts';

const server = await startWireServer();
after(() => server.close());
const ask = () => runTurn(assistantWith(server.model()), 'Hi');

test('an empty answer is asked for again, once', async () => {
  server.script(says(''), says('Hello'));
  const { result, entries } = await ask();
  assert.deepEqual(result, { status: 'completed', text: 'Hello' });
  assert.equal(entries.length, 1, 'the empty answer is not kept');
});

test('empty again: the person is told', async () => {
  server.script(says('\n'));
  const { result, entries } = await ask();
  assert.ok(result.status === 'failed');
  assert.deepEqual([result.sentence, result.text, entries.length, server.seen.length], ['model_empty', '', 0, 2]);
});

test('an empty answer behind a tool result is asked for again as well', async () => {
  server.script(calls({ name: 'calculator', args: { expression: '1+1' } }), says(''), says('2'));
  assert.deepEqual((await ask()).result, { status: 'completed', text: '2' });
});
