import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assistantWith, runTurn, userSays } from '../testing/run.ts';
import { calls, DONE, delta, raw, says, startWireServer } from '../testing/wire-server.ts';
import type { ChatMessage } from '../transcript/messages.ts';
import { validateRequest } from '../transcript/validate.ts';

const server = await startWireServer();
after(() => {
  for (const { body } of server.seen) assert.deepEqual(validateRequest(body.messages as unknown as ChatMessage[]), []);
  return server.close();
});
const write = (...items: object[]) => calls({ name: 'todo_write', args: { items } });
const ask = (options = {}) => runTurn(assistantWith(server.model()), 'Plan a trip', options);
const progress = ({ events }: Awaited<ReturnType<typeof ask>>): string[] =>
  events.flatMap((event) => (event.type === 'progress' ? [event.text] : []));

test('the list is shown while it is worked on, and is kept', async () => {
  server.script(
    write({ id: '1', text: 'Look' }, { id: '2', text: 'Buy' }),
    write({ id: '1', status: 'done' }, { id: '2', status: 'done' }),
    says('Done.'),
  );
  const outcome = await ask();
  assert.equal(outcome.result.text, 'Done.');
  assert.deepEqual(progress(outcome), ['☐ Look\n\n☐ Buy', '☐ Look\n\n☐ Buy', '☑ Look\n\n☑ Buy']);
  const kept = outcome.entries.findLast((entry) => entry.kind === 'state');
  assert.partialDeepStrictEqual(kept, { key: 'todo', value: [{ id: '1', status: 'done' }, { id: '2' }] });

  server.script(says('Hello.'));
  const later = await ask({ request: { history: [userSays('Plan a trip'), ...outcome.entries] } });
  assert.partialDeepStrictEqual(later.entries[0], { key: 'todo', value: [] }, 'a finished list is put away');
});

test('a model that ends with open items is reminded, once, and what it had said stays', async () => {
  server.script(write({ id: '1', text: 'Look' }), says('I have begun.'), says('And it is done.'));
  const { result } = await ask();
  assert.equal(result.text, 'I have begun.\n\nAnd it is done.');
  assert.equal(server.seen.length, 3);
  assert.match(server.seen[2]?.body.messages.at(-1)?.content ?? '', /open items:\n- \[open\] 1: Look/);
});

test('a reminder that is answered with nothing ends the run with what was said', async () => {
  server.script(
    write({ id: '1', text: 'Ask' }),
    says('Tell me when.'),
    raw(delta({ content: '' }), delta({}, 'stop'), DONE),
  );
  assert.deepEqual((await ask()).result, { status: 'completed', text: 'Tell me when.' });
});

test('an old list does not nag in a turn that is about something else', async () => {
  server.script(write({ id: '1', text: 'Look' }), says('I have begun.'), says(' Later.'));
  const before = await ask();
  server.script(says('It is noon.'));
  await ask({ request: { history: [userSays('Plan a trip'), ...before.entries], input: [userSays('Time?')] } });
  assert.equal(server.seen.length, 1);
});

test('a list that is too long is an error that the model can mend', async () => {
  const many = (from: number) => Array.from({ length: 20 }, (_, n) => ({ id: `${from + n}`, text: 'x' }));
  server.script(write(...many(0)), write(...many(20)), says('Too much.'), says('Still.'));
  const { entries } = await ask();
  assert.match(entries.findLast((entry) => entry.kind === 'tool')?.text ?? '', /at most 30/);
});
