import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discardLogs } from './fleet.ts';
import { short } from './plan.ts';
import { checks, details, report } from './report.ts';
import { storm } from './storm.ts';

test('processes and Redis are killed under load: nothing lost, nothing said twice, all in order', async () => {
  const outcome = await storm(short);
  const failed = checks(outcome, short).filter(([, held]) => !held);
  const told = `${report(short, outcome)}\n${details(outcome)}\nWhat the processes printed is in ${outcome.logs}`;
  assert.deepEqual(failed, [], told);
  discardLogs(outcome.logs);
});
