import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { AntlerError } from '../../base/errors.ts';
import { fakeRun, toolContext } from '../testing/fake-run.ts';
import { runTool } from '../tools/execute.ts';
import { defineTool, type Tool } from '../tools/port.ts';
import type { ToolOutcome } from './port.ts';
import { toolErrors } from './tool-errors.ts';

const input = z.object({ what: z.string() });
const make = (name: string, run: (signal: AbortSignal) => Promise<string>, timeoutMs = 1000): Tool =>
  defineTool({
    name,
    description: name,
    input,
    trust: 'local',
    timeoutMs,
    run: (_args, _context, signal) => run(signal),
  });

const tools = [
  make('throws', async () => {
    throw new TypeError('cannot read x');
  }),
  make('forbids', async () => {
    throw new AntlerError('forbidden', 'this folder belongs to somebody else');
  }),
  make('hangs', () => new Promise(() => {}), 20),
];

async function call(name: string, args = '{"what":"x"}', signal?: AbortSignal): Promise<ToolOutcome | undefined> {
  const run = fakeRun({}, signal);
  return toolErrors.create().wrapTool?.(run, { id: '1', name, arguments: args }, async (current) => {
    const context = toolContext();
    return { status: 'ok', text: await runTool(tools, current, context, run.request.signal) };
  });
}

const expected: Record<string, [string, string, RegExp]> = {
  'an exception': ['throws', '{"what":"x"}', /^Error: throws failed \(TypeError: cannot read x\)\. Try another way/],
  'a refusal': ['forbids', '{"what":"x"}', /^Error: forbids is not allowed here: this folder.*tell the person/],
  'an unknown tool': ['thrws', '{}', /^Error: there is no tool named "thrws"; there are: throws, forbids, hangs\./],
  'arguments that are no JSON': ['throws', '{"what":', /^Error: throws was not run.*not valid JSON.*call it again/],
  'arguments that do not fit': ['throws', '{"what":1}', /^Error: throws was not run[\s\S]*expected string[\s\S]*what/],
  'no arguments': ['throws', '', /^Error: throws was not run[\s\S]*what/],
  'no end': ['hangs', '{"what":"x"}', /^Error: hangs gave no result within 0\.02 s\. .*Do not simply repeat it/],
};
for (const [name, [tool, args, text]] of Object.entries(expected))
  test(`${name} becomes a result that says what to do`, async () => {
    const outcome = await call(tool, args);
    assert.equal(outcome?.status, 'error');
    assert.match(outcome.text, text);
  });

test('a long message of an error is cut, and arguments are not echoed', async () => {
  const huge = JSON.stringify({ what: 1, secret: 'x'.repeat(5000) });
  const outcome = await call('throws', huge);
  assert.ok((outcome?.text.length ?? 0) < 800);
  assert.doesNotMatch(outcome?.text ?? '', /xxx/);
});

test('a stop is no error of the tool: a tool that heeds no signal is left behind', async () => {
  const stop = new AbortController();
  const running = call('hangs', '{"what":"x"}', stop.signal);
  stop.abort();
  await assert.rejects(running, { code: 'cancelled' });
});
