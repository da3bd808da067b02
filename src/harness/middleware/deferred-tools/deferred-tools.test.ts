import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { silentLogger } from '../../../base/logger.ts';
import { createHarness } from '../../index.ts';
import type { LogEntry } from '../../log.ts';
import type { Assistant, HarnessOptions } from '../../port.ts';
import { assistantWith, impatientClock, runTurn } from '../../testing/run.ts';
import { calls, says, startWireServer } from '../../testing/wire-server.ts';
import { defineTool, type ToolSource } from '../../tools/port.ts';

const server = await startWireServer();
after(() => server.close());

const outside: ToolSource = {
  name: 'outside',
  tools: async () =>
    Array.from({ length: 12 }, (_, n) => ({
      ...defineTool({
        name: `crm_tool_${n}`,
        description: n === 7 ? 'Finds customers.' : 'Does something else.',
        input: z.object({ who: z.string() }),
        trust: 'remote',
        run: ({ who }) => `${who} lives in Ulm`,
      }),
      origin: 'crm',
    })),
};
const newHarness = (more: Partial<HarnessOptions> = {}) =>
  createHarness({ log: silentLogger, clock: impatientClock(), sources: [outside], ...more });
const assistant = (more: Partial<Assistant> = {}): Assistant =>
  assistantWith(server.model(), { tools: ['current_time'], maxDescribedTools: 10, ...more });
const described = (request: number): string[] =>
  (server.seen[request]?.body.tools ?? []).map((tool) => tool.function.name);
const system = (request: number): string => server.seen[request]?.body.messages[0]?.content ?? '';
const results = (entries: readonly LogEntry[]): string[] =>
  entries.flatMap((entry) => (entry.kind === 'tool' ? [`${entry.status} ${entry.text}`] : []));

test('many tools from outside are only named, found by search, and stay found for the conversation', async () => {
  server.script(
    calls({ name: 'tool_search', args: { query: 'find a customer' } }),
    calls({ name: 'crm_tool_7', args: { who: 'Bo' } }),
    says('In Ulm.'),
  );
  const harness = newHarness();
  const { entries } = await runTurn(assistant(), 'Where does Bo live?', { harness });
  assert.deepEqual(described(0), ['current_time', 'tool_search']);
  assert.match(system(0), /^- crm_tool_11$/m);
  assert.deepEqual(described(1), ['current_time', 'crm_tool_7', 'tool_search']);
  assert.equal(system(0), system(2));
  assert.match(results(entries)[0] ?? '', /^ok .*next step on:\ncrm_tool_7: Finds customers\.$/s);
  assert.match(results(entries)[1] ?? '', /Bo lives in Ulm/);

  server.script(says('Still there.'));
  await runTurn(assistant(), 'and now?', { harness, request: { history: entries } });
  assert.deepEqual(described(0), ['current_time', 'crm_tool_7', 'tool_search']);
});

test('a tool that is only named is not run; the model is told to look it up', async () => {
  server.script(calls({ name: 'crm_tool_3', args: { who: 'Bo' } }), says('ok'));
  const { entries } = await runTurn(assistant(), 'Hi', { harness: newHarness() });
  assert.match(results(entries)[0] ?? '', /^error .*not run.*Call tool_search with its name/s);
});

test('a search that finds nothing, or asks for nothing, says what to do next', async () => {
  server.script(
    calls({ name: 'tool_search', args: { query: 'zebra' } }, { name: 'tool_search', args: {} }),
    says('ok'),
  );
  const { entries } = await runTurn(assistant(), 'Hi', { harness: newHarness() });
  assert.ok(results(entries).some((text) => /^ok No tool fits/.test(text)));
  assert.ok(results(entries).some((text) => /^error .*arguments do not fit/.test(text)));
});

test('few tools are all described, and the closing answer has none to search with', async () => {
  server.script(says('ok'));
  await runTurn(assistant({ maxDescribedTools: 20 }), 'Hi', { harness: newHarness() });
  assert.equal(described(0).length, 13);

  server.script(calls({ name: 'tool_search', args: { query: 'customers' } }), says('ok'));
  await runTurn(assistant({ maxSteps: 1 }), 'Hi', { harness: newHarness() });
  assert.deepEqual(described(1), []);
});

test('a forbidden tool is not named, not found and not run; searching needs no rule of its own', async () => {
  server.script(
    calls({ name: 'tool_search', args: { query: 'crm_tool_7 crm_tool_8' } }),
    calls({ name: 'crm_tool_7', args: { who: 'Bo' } }),
    says('ok'),
  );
  const rules = [
    { effect: 'deny', tools: ['crm_tool_7'] },
    { effect: 'allow', tools: ['crm_*'] },
    { effect: 'deny', tools: ['*'] },
  ] as const;
  const { entries } = await runTurn(assistant(), 'Hi', { harness: newHarness({ guardrails: { rules } }) });
  assert.doesNotMatch(system(0), /crm_tool_7/);
  assert.match(results(entries)[0] ?? '', /crm_tool_8/);
  assert.doesNotMatch(results(entries)[0] ?? '', /crm_tool_7/);
  assert.match(results(entries)[1] ?? '', /^error .*not allowed here/);
});
