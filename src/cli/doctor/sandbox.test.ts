import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxSchema } from '../../config/schema/sandbox.ts';
import type { EngineState } from '../../harness/sandbox/docker/engine.ts';
import { checkSandbox } from './sandbox.ts';

const away: EngineState = { kind: 'unreachable', problem: 'nothing listens there' };
const table: [string, EngineState, string, RegExp][] = [
  ['auto', { kind: 'ready', version: '28' }, 'ok', /commands can be run/],
  ['auto', away, 'ok', /no engine at unix:.* \(nothing listens there\): assistants have files, but no shell$/],
  ['auto', { kind: 'no_image' }, 'warn', /docker build/],
  ['docker', away, 'fail', /start Docker/],
  ['docker', { kind: 'no_image' }, 'fail', /docker build/],
];
for (const [engine, state, status, text] of table)
  test(`engine ${engine}, ${state.kind}`, async () => {
    const verdict = await checkSandbox(sandboxSchema.parse({ engine }), async () => state);
    assert.equal(verdict.status, status);
    assert.match(verdict.text, text);
  });

test('an engine that is switched off is not asked', async () => {
  const verdict = await checkSandbox(sandboxSchema.parse({ engine: 'none' }), () => assert.fail('asked'));
  assert.equal(verdict.status, 'ok');
});
