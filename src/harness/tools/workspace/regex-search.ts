import { Worker } from 'node:worker_threads';
import { AntlerError } from '../../../base/errors.ts';
import type { RegexTask } from './regex-search.child.ts';
import type { Hit } from './search.ts';

const MAX_MS = 2_000;

/**
 * Searches with a regular expression of the model's in a thread of its own: some take for ever on some lines, and would
 * hold up every turn of this process.
 *
 * @throws AntlerError `bad_input` (no such expression, or one that takes too long), `cancelled`.
 */
export async function regexSearch(task: RegexTask, signal: AbortSignal): Promise<readonly Hit[]> {
  try {
    new RegExp(task.pattern, task.flags);
  } catch (thrown) {
    throw new AntlerError('bad_input', thrown instanceof Error ? thrown.message : 'no regular expression');
  }
  const worker = new Worker(new URL('./regex-search.child.ts', import.meta.url), {
    workerData: task,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<readonly Hit[]>();
  worker.once('message', resolve).once('error', reject);
  const slow = new AntlerError(
    'bad_input',
    `the pattern takes longer than ${MAX_MS / 1_000} s; use a simpler one, or regex: false`,
  );
  const timer = setTimeout(() => reject(slow), MAX_MS);
  const cancel = (): void => reject(new AntlerError('cancelled', 'stopped'));
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}
