import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { silentLogger } from '../../base/logger.ts';
import type { Assistant } from '../port.ts';
import { someModel, toolContext } from '../testing/fake-run.ts';
import { assistantWith, runContext } from '../testing/run.ts';
import { reservedNames } from '../tool-names.ts';
import { askClarification } from './ask-clarification.ts';
import { currentTime } from './current-time.ts';
import { builtInTools } from './index.ts';
import { defineTool, type Tool, type ToolSource } from './port.ts';
import { createRegistry } from './registry.ts';
import { collectTools, registrySource } from './sources.ts';

const context = toolContext();
const signal = new AbortController().signal;

test('the time, here and elsewhere', async () => {
  const here = 'Sunday, 2026-03-01 14:05 (Asia/Shanghai, UTC+08:00)';
  assert.equal(await currentTime.call({}, context, signal), here);
  assert.equal(await currentTime.call({ time_zone: ' ' }, context, signal), here);
  assert.match(await currentTime.call({ time_zone: 'Europe/Berlin' }, context, signal), /07:05 \(Europe\/Berlin/);
  await assert.rejects(currentTime.call({ time_zone: 'Mars' }, context, signal), { code: 'bad_input' });
});

test('a question with options is numbered, without doubles and line ends', async () => {
  const options = ['One\nline', 'Two', 'Two'];
  assert.equal(
    await askClarification.call({ question: ' Which? ', options }, context, signal),
    'Which?\n\n1. One line\n2. Two',
  );
  assert.equal(await askClarification.call({ question: 'Which?' }, context, signal), 'Which?');
  await assert.rejects(askClarification.call({ question: ' ' }, context, signal), { code: 'bad_input' });
});

test('tools are described to strict endpoints as objects with properties', () => {
  for (const tool of builtInTools().pick(['all'])) {
    assert.equal(tool.parameters.type, 'object');
    assert.equal(typeof tool.parameters.properties, 'object');
    assert.equal('$schema' in tool.parameters, false);
  }
});

test('a registry refuses doubles and names that endpoints do not take', () => {
  const named = (name: string) =>
    defineTool({ name, description: '', input: z.object({}), trust: 'local', run: () => '' });
  assert.throws(() => createRegistry([named('a'), named('a')]), /two tools/);
  assert.throws(() => createRegistry([named('a.b')]), /not valid/);
  const registry = createRegistry([named('a'), named('b'), named('c')]);
  assert.deepEqual(
    registry.pick(['c', 'a', 'x']).map((tool) => tool.name),
    ['a', 'c'],
  );
});

test('an assistant without the sandbox has no shell, although there is an engine', async () => {
  const source = registrySource('built in', builtInTools(), { means: async () => ({ files: true, exec: true }) });
  const names = async (more: Partial<Assistant>) =>
    (await source.tools(assistantWith(someModel, more), runContext)).map(({ name }) => name);
  assert.ok((await names({})).includes('shell'));
  assert.ok(!(await names({ sandbox: false })).includes('shell'));
  assert.ok((await names({ sandbox: false })).includes('write_file'));
});

test('no tool from outside bears a name that rules trust, whether ours is there or not', async () => {
  const from = (name: string, origin: string): Tool => ({
    ...defineTool({ name, description: '', input: z.object({}), trust: 'remote', run: () => '' }),
    origin,
  });
  const outside: ToolSource = {
    name: 'MCP',
    tools: async () => [from('load_skill', 'load'), from('docs_find', 'docs')],
  };
  const assistant = assistantWith(someModel);
  const found = await collectTools([outside], assistant, runContext, silentLogger, reservedNames());
  assert.deepEqual(
    found.map(({ name }) => name),
    ['docs_find'],
  );
});
