import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { AntlerError } from '../base/errors.ts';
import { newRunId, threadKey } from '../base/ids.ts';
import { silentLogger } from '../base/logger.ts';
import type { UserEntry } from '../harness/log.ts';
import type { RunResult } from '../harness/port.ts';
import { openStore } from '../store/index.ts';
import type { NewRun, Store } from '../store/port.ts';
import { RunRecorder } from './run-recorder.ts';

const clock = { now: () => 5_000 };
const tokens = { inputTokens: 7, outputTokens: 2 };
const failed: RunResult = {
  status: 'failed',
  text: '',
  code: 'timeout',
  sentence: 'run_timeout',
  retryable: true,
  detail: 'slow',
};

const hello: UserEntry = {
  kind: 'user',
  id: 'web/c/1',
  at: 1_000,
  text: 'hello',
  speaker: { id: 'web//ann' as UserEntry['speaker']['id'], name: 'Ann' },
};

async function openRun(t: TestContext): Promise<{ readonly store: Store; readonly run: NewRun }> {
  const folder = mkdtempSync(join(tmpdir(), 'antler-runs-'));
  const store = await openStore({ file: join(folder, 'antler.db'), log: silentLogger });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { id: thread } = await store.threads.open(threadKey({ channel: 'web', chat: 'c' }));
  return { store, run: { id: newRunId(), thread, assistant: 'lead', model: 'main', firstSeq: 1, startedAt: 4_000 } };
}

test('a run, its entries, its events and its end are written once it has ended', async (t) => {
  const { store, run } = await openRun(t);
  const recorder = new RunRecorder(store, clock, run);
  recorder.add(hello);
  recorder.note({ type: 'model_start', model: 'main', step: 1 });
  await recorder.end(failed, tokens);
  await store.runs.settle(run.thread, run.id);
  assert.deepEqual(await store.log.read(run.thread), [hello]);
  assert.deepEqual(await store.runs.events(run.id), [
    { seq: 0, at: 5_000, type: 'model_start', data: { model: 'main', step: 1 } },
  ]);
  const { startedAt, endedAt, result, errorCode, inputTokens } = (await store.runs.get(run.id)) ?? {};
  assert.deepEqual([startedAt, endedAt, result, errorCode, inputTokens], [4_000, 5_000, 'failed', 'timeout', 7]);
});

test('a run that could not be begun fails the first writing, and nothing before', async (t) => {
  const { store, run } = await openRun(t);
  const start = () => Promise.reject(new AntlerError('unavailable', 'the database is down', { retryable: true }));
  const recorder = new RunRecorder({ log: store.log, runs: { ...store.runs, start } }, clock, run);
  recorder.add(hello);
  await assert.rejects(recorder.write(), { code: 'unavailable' });
});
