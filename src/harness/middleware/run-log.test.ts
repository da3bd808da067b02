import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from '../../base/logger.ts';
import { fakeRun } from '../testing/fake-run.ts';
import { runLog } from './run-log.ts';

test('a run leaves one line without anything that was said', async () => {
  const lines: string[] = [];
  const write = (fields: object, message: string): void => {
    lines.push(JSON.stringify({ ...fields, message }));
  };
  const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
  const run = { ...fakeRun(), logger };
  const middleware = runLog.create();
  await middleware.beforeRun?.(run);
  await middleware.afterRun?.(run, { status: 'completed', text: 'private words' });
  assert.deepEqual(lines, ['{"status":"completed","steps":1,"ms":0,"message":"run ended"}']);
});
