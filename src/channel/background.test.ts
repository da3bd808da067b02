import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AntlerError } from '../base/errors.ts';
import { Background } from './background.ts';

/** A job whose identity comes when it is told to. */
function job() {
  const identity = Promise.withResolvers<void>();
  const trace: string[] = [];
  return {
    identity,
    trace,
    job: {
      identify: async (signal: AbortSignal) => {
        signal.addEventListener('abort', () => identity.reject(signal.reason), { once: true });
        await identity.promise;
      },
      unknown: ({ code }: AntlerError) => void trace.push(code),
      run: async (signal: AbortSignal) => {
        trace.push('runs');
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        trace.push('ends');
      },
    },
  };
}

test('a stop in the middle of the start ends it, and nothing begins', async () => {
  const { job: starting, trace } = job();
  const background = new Background();
  const started = background.start(starting);
  await background.stop();
  await started;
  assert.deepEqual(trace, []);
});

test('refused credentials end the start, any other failure does not', async () => {
  const refused = job();
  refused.identity.reject(new AntlerError('unauthorized', 'wrong token'));
  await assert.rejects(new Background().start(refused.job), { code: 'unauthorized' });
  assert.deepEqual(refused.trace, []);

  const away = job();
  away.identity.reject(new AntlerError('unavailable', 'away'));
  const background = new Background();
  await background.start(away.job);
  await background.stop();
  assert.deepEqual(away.trace, ['unavailable', 'runs', 'ends']);
});
