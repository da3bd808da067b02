import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { guardEndpoint } from '../guardrails/endpoint.ts';
import type { Guardrails } from '../guardrails/port.ts';
import { createHarness } from '../index.ts';
import { assistantWith, runContext, runTurn, userSays } from '../testing/run.ts';
import { calls, says, startWireServer } from '../testing/wire-server.ts';

const server = await startWireServer();
after(() => server.close());
const bo = { id: 'telegram//8', name: 'Bo' };
const sum = calls({ name: 'calculator', args: { expression: '1+1' } });
const harnessWith = (guardrails: Guardrails) => createHarness({ log: silentLogger, clock: systemClock, guardrails });
const ask = (guardrails: Guardrails, request = {}) =>
  runTurn(assistantWith(server.model()), 'Hi', { harness: harnessWith(guardrails), request });
const offered = (): string[] => server.seen[0]?.body.tools?.map((tool) => tool.function.name) ?? [];

test('a denied tool is not offered, and is not run when the model calls it all the same', async () => {
  server.script(sum, says('I may not.'));
  const { entries, result } = await ask({ rules: [{ effect: 'deny', tools: ['calc*'], users: ['telegram/7'] }] });
  assert.ok(!offered().includes('calculator'));
  assert.ok(offered().includes('current_time'));
  assert.match(
    entries.find((entry) => entry.kind === 'tool')?.text ?? '',
    /calculator is not allowed here.*tell the person/s,
  );
  assert.equal(result.text, 'I may not.');
});

test('what is denied to others is there', async () => {
  server.script(sum, says('2'));
  const { entries } = await ask({ rules: [{ effect: 'deny', tools: ['*'], users: ['telegram/8'] }] });
  assert.ok(offered().includes('calculator'));
  assert.equal(entries.find((entry) => entry.kind === 'tool')?.text, '2');
});

test('one speaker lends no rights to another: where several speak, all must be allowed', async () => {
  server.script(sum, says('no'));
  const rules = [
    { effect: 'allow', tools: ['*'], roles: ['admin'] } as const,
    { effect: 'deny', tools: ['*'] } as const,
  ];
  const context = { roles: { 'telegram//7': 'admin' } };
  const alone = await ask({ rules }, { context: { ...runContext, ...context } });
  assert.equal(alone.entries.find((entry) => entry.kind === 'tool')?.status, 'ok');
  server.script(sum, says('no'));
  const both = await ask(
    { rules },
    { context: { ...runContext, ...context }, input: [userSays('do it', bo), userSays('yes, please')] },
  );
  assert.equal(both.entries.find((entry) => entry.kind === 'tool')?.status, 'error');
});

/** A policy service that answers as the test says; resolves with its questions. */
async function policy(answer: (question: unknown) => { readonly status?: number; readonly body: string } | 'hang') {
  const asked: { readonly authorization: string | undefined; readonly question: Record<string, unknown> }[] = [];
  const http = createServer(async (request, response) => {
    const question = JSON.parse(await readAll(request)) as Record<string, unknown>;
    asked.push({ authorization: request.headers.authorization, question });
    const said = answer(question);
    if (said === 'hang') return;
    response
      .writeHead(said.status ?? 200, { 'content-type': 'application/json', location: '/elsewhere' })
      .end(said.body);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  after(() => {
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return { asked, guardrails: { rules: [], provider: guardEndpoint({ url, token: 'secret', timeoutMs: 100 }) } };
}

test('a policy service is asked before the offer and at the call', async () => {
  const { asked, guardrails } = await policy((question) => {
    const { stage } = question as { stage: string };
    return { body: JSON.stringify({ allow: stage === 'offer' ? ['calculator'] : [] }) };
  });
  server.script(sum, says('no'));
  const { entries } = await ask(guardrails);
  assert.deepEqual(offered(), ['calculator']);
  assert.equal(entries.find((entry) => entry.kind === 'tool')?.status, 'error');
  assert.deepEqual(asked[1]?.question, {
    stage: 'call',
    tools: ['calculator'],
    arguments: '{"expression":"1+1"}',
    asker: { user: 'telegram/7', role: 'guest', chat: 'telegram/7', assistant: 'lead' },
    run: 'r1',
    thread: 't1',
  });
  assert.equal(asked[1]?.authorization, 'Bearer secret');
  assert.equal(asked.length, 2, 'the same offer is asked for once a run');
});

for (const [name, answer] of [
  ['is silent', () => 'hang' as const],
  ['fails', () => ({ status: 500, body: '{"allow":["calculator"]}' })],
  ['redirects', () => ({ status: 302, body: '' })],
  ['answers no JSON', () => ({ body: '<html>' })],
  ['answers something else', () => ({ body: '{"allowed":true}' })],
  ['answers without end', () => ({ body: JSON.stringify({ allow: ['calculator', 'x'.repeat(100_000)] }) })],
] as const)
  test(`a policy service that ${name}: nothing is allowed`, async () => {
    const { guardrails } = await policy(answer);
    server.script(sum, says('no'));
    const { entries, result } = await ask(guardrails);
    assert.deepEqual(offered(), []);
    assert.equal(entries.find((entry) => entry.kind === 'tool')?.status, 'error');
    assert.equal(result.text, 'no');
  });
