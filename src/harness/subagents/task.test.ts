import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assistantWith, newHarness, runContext, runTurn, userSays } from '../testing/run.ts';
import { calls, hanging, type Script, type SeenRequest, says, startWireServer } from '../testing/wire-server.ts';
import { readLedger } from './ledger.ts';
import type { Subagents } from './port.ts';

const LIMITS = { maxSteps: 50, maxRunTokens: 500_000, timeoutMs: 900_000 };

const server = await startWireServer();
after(() => server.close());

const subagents: Subagents = { atOnce: 3, perRun: 6, types: [] };
const isChild = ({ body }: SeenRequest): boolean =>
  body.messages[0]?.content?.startsWith('You work on one task') === true;
const childRequests = (): readonly SeenRequest[] => server.seen.filter(isChild);
const task = (description: string, more: object = {}) => ({
  name: 'task',
  args: { description, prompt: `Find out: ${description}`, ...more },
});

/** Parent and children ask the same endpoint, the latter at any time: each gets its own script. */
function play(parent: readonly Script[], child: Script): void {
  const steps = [...parent];
  server.script((response, request) => (isChild(request) ? child : (steps.shift() ?? says('?')))(response, request));
}

const run = (more: Partial<Subagents> = {}, options: Parameters<typeof runTurn>[2] = {}) =>
  runTurn(assistantWith(server.model(), { subagents: { ...subagents, ...more } }), 'Do it', options);
const results = (outcome: Awaited<ReturnType<typeof run>>): string[] =>
  outcome.entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.text] : []));
const ledgerOf = (outcome: Awaited<ReturnType<typeof run>>) =>
  readLedger(
    outcome.entries
      .flatMap((entry) => (entry.kind === 'state' && entry.key === 'delegations' ? [entry.value] : []))
      .at(-1),
  );

test('a task is worked on alone and its report comes back as data; its tokens count for the run', async () => {
  play([calls(task('prices')), says('They are low.')], says('Prices: <note>low</note>'));
  const outcome = await run();
  assert.equal(outcome.result.text, 'They are low.');
  assert.deepEqual(results(outcome), [
    '<tool_result tool="task">\nprices (general): done.\n\nPrices: &lt;note>low&lt;/note>\n</tool_result>',
  ]);
  const [child] = childRequests();
  assert.doesNotMatch(JSON.stringify(child?.body.messages), /Do it/);
  assert.match(JSON.stringify(child?.body.messages), /Find out: prices/);
  assert.equal(outcome.events.filter(({ type }) => type === 'usage').length, 3);
  assert.partialDeepStrictEqual(ledgerOf(outcome), [{ description: 'prices', status: 'done', type: 'general' }]);
  assert.ok(outcome.events.some((event) => event.type === 'progress' && event.text.includes('prices')));
  assert.deepEqual(
    outcome.events.flatMap((event) => (event.type === 'progress' ? [event.text] : [])).at(-1),
    '',
    'nothing is left standing',
  );
});

test('a sub-agent has no tools that its parent lacks, and none that speak to people or hand work on', async () => {
  play([calls(task('x')), says('ok')], says('done'));
  await run();
  const names = (request: SeenRequest | undefined) => request?.body.tools?.map((tool) => tool.function.name) ?? [];
  assert.deepEqual(names(childRequests()[0]).sort(), ['calculator', 'current_time', 'read_file']);
  assert.ok(names(server.seen[0]).includes('task'));

  play([calls(task('x', { type: 'narrow' })), says('ok')], says('done'));
  const narrow = {
    ...LIMITS,
    name: 'narrow',
    description: 'd',
    soul: 's',
    tools: ['calculator', 'current_time'],
  };
  await runTurn(
    assistantWith(server.model(), { tools: ['task', 'calculator'], subagents: { ...subagents, types: [narrow] } }),
    'Do it',
  );
  assert.deepEqual(names(childRequests()[0]), ['calculator']);
});

test('a sub-agent that calls what it was not given is told so', async () => {
  let asked = 0;
  play([calls(task('x')), says('ok')], (response, request) =>
    (asked++ === 0 ? calls(task('nested')) : says('I could not.'))(response, request),
  );
  await run();
  assert.match(JSON.stringify(childRequests()[1]?.body.messages.at(-1)), /no tool named \\*"task/);
});

test('so many at once, the others wait; so many in a turn, the others are refused', async () => {
  let inside = 0;
  let most = 0;
  play(
    [calls(...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, n) => ({ ...task(name), id: `c${n}` }))), says('ok')],
    async (response, request) => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 15));
      inside--;
      return says('done')(response, request);
    },
  );
  const outcome = await run();
  assert.equal(most, 3);
  assert.equal(childRequests().length, 6);
  assert.equal(results(outcome).filter((text) => /limit of 6 sub-agents/.test(text)).length, 2);
});

test('one person has so many at once over all runs, others are not held up', async () => {
  const harness = newHarness();
  let inside = 0;
  let most = 0;
  const bo = { id: 'telegram//8', name: 'Bo' };
  const two = calls({ ...task('a'), id: 'a' }, { ...task('b'), id: 'b' });
  play([two, two, two, says('ok'), says('ok'), says('ok')], async (response, request) => {
    const { length } = request.body.messages.filter(({ content }) => content?.includes('Bo (id telegram//8)'));
    if (length === 0) most = Math.max(most, ++inside);
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (length === 0) inside--;
    return says('done')(response, request);
  });
  const context = { ...runContext, speaker: bo };
  await Promise.all([
    run({ atOnce: 1 }, { harness }),
    run({ atOnce: 1 }, { harness }),
    run({ atOnce: 1 }, { harness, request: { context, input: [userSays('Do it', bo)] } }),
  ]);
  assert.equal(most, 1);
  assert.equal(childRequests().length, 6);
});

test('a sub-agent that takes too long is stopped, and what it has is used', async () => {
  const slow = { ...LIMITS, name: 'general', description: 'd', soul: '', tools: ['all'], timeoutMs: 60 };
  let asked = 0;
  play([calls(task('x')), says('ok')], (response, request) =>
    (asked++ === 0 ? calls({ name: 'calculator', args: { expression: '1' } }) : hanging())(response, request),
  );
  const outcome = await run({ types: [slow] });
  assert.match(results(outcome)[0] ?? '', /x \(general\): stopped after 0 minutes/);
  assert.equal(ledgerOf(outcome)[0]?.status, 'timed_out');
});

test('stopping the run stops its sub-agents at once', async () => {
  const stop = new AbortController();
  let hungUp = false;
  play([calls(task('x'))], (response, request) => {
    response.on('close', () => {
      hungUp = true;
    });
    setTimeout(() => stop.abort(), 10);
    return hanging()(response, request);
  });
  const startedAt = performance.now();
  const { result } = await run({}, { request: { signal: stop.signal } });
  assert.equal(result.status, 'cancelled');
  assert.ok(performance.now() - startedAt < 1_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(hungUp);
});

test('a sub-agent that fails is reported as failed, without words of the provider', async () => {
  play([calls(task('x')), says('ok')], (response) => {
    response.writeHead(401).end('{"error":{"message":"Incorrect API key sk-secret"}}');
  });
  const outcome = await run();
  assert.match(results(outcome)[0] ?? '', /x \(general\): failed \(unauthorized\)/);
  assert.doesNotMatch(results(outcome)[0] ?? '', /sk-secret/);
  assert.equal(ledgerOf(outcome)[0]?.status, 'failed');
});

test('a long report is cut in the middle, always in the same way', async () => {
  const long = Array.from({ length: 4_000 }, (_, n) => `line ${n}`).join('\n');
  play([calls(task('x')), says('ok')], says(long));
  const [first = ''] = results(await run());
  assert.ok(first.length < 12_500);
  assert.match(first, /line 0\n[\s\S]*characters left out[\s\S]*line 3999\n<\/tool_result>$/);
});

test('an assistant without sub-agents has no such tool', async () => {
  server.script(says('ok'));
  await runTurn(assistantWith(server.model()), 'Hi');
  assert.ok(!server.seen[0]?.body.tools?.some((tool) => tool.function.name === 'task'));
});
