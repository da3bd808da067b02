import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '../config/load.ts';
import type { Assistant } from '../harness/port.ts';
import { toolNames } from '../harness/tool-names.ts';
import { createAssistantBook } from './assistants.ts';
import { manifests } from './channels.ts';

function setUp(t: TestContext, lead: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'antler-assistants-'));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  const models = 'models: [{ name: main, model: m }, { name: spare, model: s }]';
  writeFileSync(join(cwd, 'config.yaml'), `${models}\nassistants:\n  lead: ${lead}\n`);
  const result = loadConfig({ env: {}, manifests, cwd, tools: toolNames() });
  const book = result.ok
    ? createAssistantBook({ config: result.config, saved: async () => null, demoUrl: async () => '' })
    : null;
  const find = async (): Promise<Assistant> => {
    if (!result.ok || book === null) throw new Error(result.ok ? '' : result.problems.map(({ text }) => text).join());
    const found = await book.find('lead');
    assert.ok(found !== null);
    return found.assistant;
  };
  return { cwd, find };
}

test('an assistant is what the configuration says of it', async (t) => {
  const { find } = setUp(
    t,
    '{ fallbacks: [spare], reasoning_effort: low, tools: [group:shell, calculator], skills: [report], sandbox: false }',
  );
  const { model, fallbacks, tools, skills, sandbox, proposals } = await find();
  assert.deepEqual([model.reasoningEffort, fallbacks[0]?.reasoningEffort], ['low', 'low']);
  assert.deepEqual([tools, skills, sandbox, proposals], [['shell', 'calculator'], ['report'], false, false]);
});

test('a group that there is not and a server of tools that there is not are mistakes', async (t) => {
  await assert.rejects(
    setUp(t, '{ tools: [group:fils] }').find(),
    /unknown tool "group:fils"; did you mean "group:files"/,
  );
  await assert.rejects(setUp(t, '{ mcp_servers: [github] }').find(), /unknown MCP server "github"/);
});

test('a soul of a file counts as it is now, and an emptied file wipes nobody', async (t) => {
  const { cwd, find } = setUp(t, '{ soul_file: ./soul.md }');
  await assert.rejects(find(), { code: 'config_invalid' });
  const path = join(cwd, 'soul.md');
  writeFileSync(path, 'Be kind.');
  assert.equal((await find()).soul, 'Be kind.');
  for (const [at, text, soul] of [
    [1, 'Be brief.', 'Be brief.'],
    [2, '', 'Be brief.'],
  ] as const) {
    writeFileSync(path, text);
    utimesSync(path, at, at);
    assert.equal((await find()).soul, soul);
  }
});
