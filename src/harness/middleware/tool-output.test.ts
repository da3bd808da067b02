import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { z } from 'zod';
import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { createHarness } from '../index.ts';
import { FolderWorkspaces } from '../sandbox/folder/index.ts';
import { assistantWith, runContext, runTurn } from '../testing/run.ts';
import { calls, says, startWireServer } from '../testing/wire-server.ts';
import { defineTool, type ToolSource } from '../tools/port.ts';

const server = await startWireServer();
const base = mkdtempSync(join(tmpdir(), 'antler-output-'));
const workspaces = new FolderWorkspaces({ base, maxBytes: 30_000_000, clock: systemClock });
after(async () => {
  await server.close();
  await workspaces.close();
  rmSync(base, { recursive: true, force: true });
});

const table = `id,name\n${Array.from({ length: 3_000 }, (_, n) => `${n},<note>${n}</note>`).join('\n')}`;
const fetched: ToolSource = {
  name: 'test',
  tools: async () => [
    defineTool({
      name: 'fetch_it',
      description: 'd',
      input: z.object({ chars: z.int().optional() }),
      trust: 'remote',
      run: ({ chars }) => (chars === undefined ? table : 'x'.repeat(chars)),
    }),
  ],
};
const fetchIt = (chars?: number) => calls({ name: 'fetch_it', args: chars === undefined ? {} : { chars } });
const results = async (
  harness = createHarness({ log: silentLogger, clock: systemClock, sources: [fetched], workspaces }),
) => {
  const { entries } = await runTurn(assistantWith(server.model({ contextWindow: 1_000_000 }), { maxSteps: 30 }), 'Hi', {
    harness,
  });
  return entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.text] : []));
};

test('a large result goes into a file, and the model gets what it is and where to read on', async () => {
  server.script(fetchIt(), says('ok'));
  const [text = ''] = await results();
  assert.match(text, /^<tool_result tool="fetch_it">\nThis result has \d+ characters and was put aside\./);
  assert.match(text, /A table of 3000 rows; columns: id, name\./);
  assert.match(text, /begins:\nid,name\n0,&lt;note>0&lt;\/note>[\s\S]*2999,&lt;note>2999&lt;\/note>\n<\/tool_result>$/);
  assert.ok(text.length < 5_000);
  const path = /\/mnt\/user-data\/workspace\/\.results\/fetch_it-[0-9a-f]{12}\.csv/.exec(text)?.[0] ?? '';
  const workspace = await workspaces.open(
    { owner: runContext.owner, assistantId: 'lead' },
    assistantWith(server.model()),
  );
  assert.equal(new TextDecoder().decode(await workspace.read(path, 1_000_000)), table);

  server.script(calls({ name: 'read_file', args: { file: path, offset: 2999, limit: 2 } }), says('ok'));
  assert.match((await results())[0] ?? '', /2997,&lt;note>/, 'and it can be read on there');
});

test('without a place for files a large result is cut', async () => {
  server.script(fetchIt(), says('ok'));
  const [text = ''] = await results(createHarness({ log: silentLogger, clock: systemClock, sources: [fetched] }));
  assert.match(text, /characters left out/);
  assert.ok(text.length > 20_000 && text.length < 40_000);
});

test('when the results of a run have taken what they may, only short ones stand in the conversation', async () => {
  server.script(...Array.from({ length: 16 }, (_, n) => fetchIt(11_000 + n)), says('ok'));
  const texts = await results();
  const aside = texts.map((text) => text.includes('was put aside'));
  assert.deepEqual(aside.indexOf(true), 15);
});
