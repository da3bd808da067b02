import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assistantWith, runTurn, userSays } from '../testing/run.ts';
import { calls, DONE, delta, raw, says, startWireServer } from '../testing/wire-server.ts';
import type { ChatMessage } from '../transcript/messages.ts';
import { validateRequest } from '../transcript/validate.ts';

const server = await startWireServer();
after(() => server.close());
const ask = (options = {}) => runTurn(assistantWith(server.model()), 'Book a table', options);
const question = { name: 'ask_clarification', args: { question: 'Which day?', options: ['Friday', 'Saturday'] } };
const text = 'Which day?\n\n1. Friday\n2. Saturday';

test('a question ends the run, as numbered text', async () => {
  server.script(calls(question));
  const { result, screens } = await ask();
  assert.equal(result.status, 'asked');
  assert.equal(result.text, text);
  assert.deepEqual(result.status === 'asked' && result.choice?.options, ['Friday', 'Saturday']);
  assert.equal(screens.at(-1), text);
  assert.equal(server.seen.length, 1);
});

test('the model is told which option a number or a button stands for, then and in later turns', async () => {
  server.script(calls(question));
  const asked = await ask();
  const pressed = asked.result.status === 'asked' ? asked.result.choice?.question : undefined;
  const before = [userSays('Book a table'), ...asked.entries];
  const meant = /2\n<note>\nThe answer to your question “Which day\?” is: 2\. Saturday\n<\/note>/;
  for (const entry of [userSays('2'), { ...userSays('Saturday'), pressed: pressed ?? '' }]) {
    server.script(says('Booked.'));
    const next = await runTurn(assistantWith(server.model()), '', { request: { history: before, input: [entry] } });
    assert.match(server.seen[0]?.body.messages.at(-1)?.content ?? '', /is: 2\. Saturday\n<\/note>/);
    if (entry.text !== '2') continue;
    const history = [...before, entry, ...next.entries];
    await runTurn(assistantWith(server.model()), '1', { request: { history } });
    const told = server.seen[1]?.body.messages.map(({ content }) => content ?? '') ?? [];
    assert.ok(told.some((content) => meant.test(content)));
    assert.doesNotMatch(told.at(-1) ?? '', /The answer to/, 'a question is answered once');
  }
});

test('the answer follows the question in the next request', async () => {
  server.script(calls(question));
  const { entries } = await ask();
  server.script(says('Booked.'));
  await runTurn(assistantWith(server.model()), '2', { request: { history: [userSays('Book a table'), ...entries] } });
  const messages = server.seen[0]?.body.messages ?? [];
  assert.deepEqual(validateRequest(messages as unknown as ChatMessage[]), []);
  assert.deepEqual(
    messages.slice(-2).map((message) => message.role),
    ['assistant', 'user'],
  );
  assert.equal(messages.at(-2)?.content, text);
});

test('other tools of the same step are run first; a second question has to wait', async () => {
  server.script(
    calls({ name: 'calculator', args: { expression: '1' } }, question, {
      name: 'ask_clarification',
      args: { question: 'How many?' },
    }),
  );
  const { result, entries } = await ask();
  assert.equal(result.text, text);
  assert.deepEqual(
    entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.status] : [])),
    ['ok', 'ok', 'error'],
  );
});

test('a question that was also written as text is not said twice', async () => {
  const call = { index: 0, id: 'a', function: { name: question.name, arguments: JSON.stringify(question.args) } };
  server.script(raw(delta({ content: 'Sure! Which day?' }), delta({ tool_calls: [call] }, 'tool_calls'), DONE));
  assert.equal((await ask()).result.text, 'Sure! Which day?\n\n1. Friday\n2. Saturday');
});

test('a malformed question is an error that the model can mend', async () => {
  server.script(calls({ name: 'ask_clarification', args: { options: [] } }), says('Friday it is.'));
  assert.deepEqual((await ask()).result, { status: 'completed', text: 'Friday it is.' });
});
