import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assistantWith, runTurn } from '../testing/run.ts';
import { calls, says, startWireServer } from '../testing/wire-server.ts';
import type { ChatMessage } from '../transcript/messages.ts';
import { validateRequest } from '../transcript/validate.ts';
import { callSetKey } from './loop-detection.ts';

const server = await startWireServer();
after(() => server.close());
const ask = () => runTurn(assistantWith(server.model(), { maxSteps: 30 }), 'Hi');
const same = calls({ name: 'calculator', args: { expression: '1+1' } });

test('equal calls are equal in whatever order they and their arguments are written', () => {
  const f = { id: '1', name: 'f', arguments: '{"a":1,"b":{"c":2,"d":3}}' };
  const g = { id: '2', name: 'g', arguments: '' };
  const other = { id: '3', name: 'f', arguments: '{ "b": {"d":3,"c":2}, "a": 1 }' };
  assert.equal(callSetKey([f, g]), callSetKey([{ ...g, arguments: '{}' }, other]));
  assert.notEqual(callSetKey([f]), callSetKey([f, f]));
});

test('the same calls again and again: a warning behind the results, then one answer without tools', async () => {
  server.script(same, same, same, same, same, says('It is 2.'));
  const { result, events } = await ask();
  assert.deepEqual(result, { status: 'step_limit', text: 'It is 2.' });
  assert.equal(events.filter((event) => event.type === 'tool_start').length, 4);
  const warned = server.seen.map(
    (request) => request.body.messages.at(-1)?.content?.includes('several times;') === true,
  );
  assert.deepEqual(warned, [false, false, false, true, false, false]);
  const last = server.seen[5]?.body;
  assert.equal(last?.tools, undefined);
  assert.match(last?.messages.at(-1)?.content ?? '', /not run: the same calls[\s\S]*Answer now/);
  for (const request of server.seen)
    assert.deepEqual(validateRequest(request.body.messages as unknown as ChatMessage[]), []);
});

test('different calls are no loop', async () => {
  const different = Array.from({ length: 8 }, (_, n) => calls({ name: 'calculator', args: { expression: `${n}` } }));
  server.script(...different, says('Done'));
  assert.equal((await ask()).result.status, 'completed');
});

test('a model that keeps writing calls that cannot be read is stopped', async () => {
  const invalid = Array.from({ length: 20 }, (_, n) => calls({ name: 'calculator', args: `{"expression": ${n}` }));
  server.script(...invalid, says('I could not.'));
  const { result } = await ask();
  assert.equal(result.status, 'step_limit');
  assert.equal(server.seen.length, 8);
});
