import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

/** A process of ours that has said that it is ready. */
export interface Spawned {
  readonly pid: number;
  /** What `ready` found in its output. */
  readonly said: RegExpExecArray;
  /** Milliseconds on `performance.now()` when it was started. */
  readonly startedAt: number;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 30_000;

/**
 * Runs a script under this Node and waits until its output matches. It sees of this process's environment only what
 * a program needs to run at all, so that settings of the one who measures do not leak in.
 * @throws Error with what it printed when it ends or stays silent.
 */
export async function spawnScript(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<Spawned> {
  const { PATH = '', HOME = '' } = process.env;
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: env.ANTLER_DATA_DIR ?? root,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = await outputMatching(child, ready).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return { pid: child.pid ?? 0, said, startedAt, stop: () => stopped(child) };
}

function outputMatching(child: ChildProcess, ready: RegExp): Promise<RegExpExecArray> {
  const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
  let output = '';
  const fail = (why: string): void => reject(new Error(`${child.spawnargs.join(' ')} ${why}:\n${output}`));
  const listen = (chunk: Buffer): void => {
    if (output.length > 100_000) return;
    output += chunk.toString();
    const said = ready.exec(output);
    if (said !== null) resolve(said);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  child.once('error', (error) => fail(error.message));
  child.once('exit', (code) => fail(`ended with code ${code}`));
  const timer = setTimeout(() => fail('did not get ready'), READY_WITHIN_MS);
  return promise.finally(() => clearTimeout(timer));
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await promise;
  clearTimeout(hard);
}
