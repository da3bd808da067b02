import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Stage } from './stage.ts';

/** Antler as a person runs it: a process of its own. */
export interface AntlerProcess {
  readonly child: ChildProcess;
  /** Where its page is; empty for a worker. */
  readonly url: string;
  /** Everything that it printed so far. */
  readonly output: () => string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const program = join(import.meta.dirname, '../../cli/antler.mjs');
const READY = /^Antler (?:is at (\S+)|worker is running)$/m;

/** Starts `antler <role>` on a stage and resolves when it says that it runs. Killed after the test. */
export async function startProcess(
  t: TestContext,
  stage: Stage,
  role: 'start' | 'gateway' | 'worker',
  extra: Record<string, string> = {},
): Promise<AntlerProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, role], {
    cwd: stage.folder,
    env: { PATH, HOME, ...stage.env, ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    const match = READY.exec(output);
    if (match !== null) resolve(match[1] ?? '');
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  child.once('exit', (code) => reject(new Error(`antler ${role} ended with ${code}:\n${output}`)));
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  };
  t.after(() => kill('SIGKILL'));
  return { child, url: await ready, output: () => output, kill };
}
