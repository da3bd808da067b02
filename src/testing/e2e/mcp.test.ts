import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { mcpServerSchema } from '../../config/schema/mcp.ts';
import { text, tools } from '../../simulator/model/index.ts';
import { configOf, playAntler, setStage } from './stage.ts';

const SERVER = join(import.meta.dirname, '../../harness/mcp/testing/stdio-server.ts');

test('a tool of an MCP server is used on the way to an answer, and a broken server hides no other', async (t) => {
  const stage = await setStage(t);
  await playAntler(t, stage, {
    ...configOf(stage),
    mcp_servers: {
      broken: mcpServerSchema.parse({ command: '/no/such/program' }),
      sums: mcpServerSchema.parse({ command: process.execPath, args: [SERVER] }),
    },
  });
  stage.model.script(tools(['sums_add', { a: 40, b: 2 }]), text('It is 42.'));
  await stage.ask('40 and 2?', /^It is 42\.$/);
  const seen = JSON.stringify(stage.model.requests[1]?.body);
  assert.match(seen, /<tool_result tool=\\"sums_add\\">\\n42\\n<\/tool_result>/);
  assert.match(seen, /"name":"sums_add"/);
});
