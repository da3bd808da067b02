import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../base/clock.ts';
import { someModel, toolContext } from '../testing/fake-run.ts';
import { assistantWith, runContext } from '../testing/run.ts';
import type { Tool, ToolContext } from '../tools/port.ts';
import type { ExternalAgentConfig } from './port.ts';
import { createAgentSource } from './source.ts';

const AGENT = join(import.meta.dirname, 'testing/agent.child.ts');

async function agentWith(t: TestContext, more: Partial<ExternalAgentConfig> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'antler-agents-'));
  const config: ExternalAgentConfig = {
    name: 'tried',
    command: process.execPath,
    args: [AGENT],
    env: { ITS_OWN: 'yes' },
    description: 'tries things',
    permissions: 'deny',
    startTimeoutMs: 20_000,
    promptTimeoutMs: 20_000,
    ...more,
  };
  const source = createAgentSource({ agents: [config], folder, clock: systemClock });
  t.after(async () => {
    await source.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const [tool] = await source.tools(assistantWith(someModel, { agents: ['all'] }), runContext);
  assert.ok(tool !== undefined);
  const ask = (prompt: string, context: Partial<ToolContext> = {}, signal = new AbortController().signal) =>
    tool.call({ prompt }, toolContext(context), signal);
  /** The only working folder that there is. */
  const place = (): string => join(folder, readdirSync(folder)[0] ?? '', 'tried');
  return { source, tool, ask, place };
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await sleep(10);
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // One that has ended and was not yet waited for by whoever adopted it counts as gone.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test('an assistant has the agents that it names, and none unasked', async (t) => {
  const { source, tool } = await agentWith(t);
  const named = async (agents?: string[]): Promise<readonly Tool[]> =>
    source.tools(assistantWith(someModel, agents === undefined ? {} : { agents }), runContext);
  assert.equal(tool.name, 'agent_tried');
  assert.deepEqual([await named(), await named([]), await named(['other'])], [[], [], []]);
  assert.deepEqual(await named(['tried']), [tool]);
});

test('an agent answers, and what it does shows meanwhile', async (t) => {
  const { ask } = await agentWith(t);
  const shown: string[] = [];
  assert.equal(await ask('work', { progress: (text) => shown.push(text) }), 'The report is fine.');
  assert.deepEqual(shown, ['tried: Reads the report']);
});

test('an agent sees nothing of our environment and works in a folder that is its own', async (t) => {
  process.env.CANARY_KEY = 'secret';
  t.after(() => delete process.env.CANARY_KEY);
  const { ask, place } = await agentWith(t);
  const seen = JSON.parse(await ask('environment'));
  assert.deepEqual(Object.keys(seen).sort(), ['HOME', 'ITS_OWN', 'LANG', 'PATH', 'cwd']);
  assert.equal(seen.cwd, place());
  assert.equal(seen.HOME, place());
  await ask('write a');
  assert.match(await ask('write b'), /files: a, b/);
  const other = { run: { ...runContext, owner: 'telegram//8' } };
  assert.match(await ask('write c', other), /files: c$/);
});

test('what is not allowed is refused, and the model is told what it was', async (t) => {
  const { ask } = await agentWith(t, { permissions: 'allow_read' });
  assert.equal(await ask('read notes'), 'did notes');
  assert.equal(
    await ask('execute rm -r x'),
    'did not rm -r x\n[It was refused, as the admin wants it: Run a command {"command":"rm -r x"}]',
  );
});

test('long answers are cut in the same way each time, and odd ends are told', async (t) => {
  const { ask } = await agentWith(t);
  const long = await ask('long');
  assert.match(long, /^BEGINx+\n\[… \d+ characters left out …\]\nx+END$/);
  assert.ok(long.length <= 12_000);
  assert.equal(await ask('refuse'), '(It said nothing.)\n[It did not come to an end by itself: refusal]');
});

test('an agent that is not there, dies, or fails is an error that names it and no more', async (t) => {
  const { ask } = await agentWith(t);
  await assert.rejects(ask('die'), { code: 'unavailable', message: 'agent tried ended by itself (code 3)' });
  await assert.rejects(ask('nonsense'), { code: 'unavailable', message: 'agent tried failed (error -32603)' });
  const missing = await agentWith(t, { command: '/no/such/program' });
  await assert.rejects(missing.ask('work'), { message: 'agent tried could not be started (ENOENT)' });
});

test('an agent that takes too long is stopped with everything that it has started', async (t) => {
  const { ask, place } = await agentWith(t, { promptTimeoutMs: 1_500 });
  await assert.rejects(ask('child'), { code: 'timeout', message: 'agent tried had no result within 1.5 s.' });
  const pid = Number(readFileSync(join(place(), 'pid'), 'utf8'));
  await until(() => !isAlive(pid));
});

test('an agent that is cancelled may wind up, then it is gone', async (t) => {
  const { ask, place } = await agentWith(t);
  const stop = new AbortController();
  const work = ask('wait', { progress: () => stop.abort() }, stop.signal);
  await assert.rejects(work, { code: 'cancelled' });
  assert.ok(existsSync(join(place(), 'cancelled')));
});

test('closing stops the agents at work', async (t) => {
  const { source, ask } = await agentWith(t);
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const work = ask('wait', { progress: () => resolve() });
  work.catch(() => {});
  await begun;
  await source.close();
  await assert.rejects(work, { code: 'cancelled' });
});
