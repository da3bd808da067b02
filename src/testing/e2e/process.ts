import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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
const READY = /^Antler (?:is at (\S+)|worker is running|supervises \d+ workers)$/m;

/** Starts `antler <role>` on a stage and resolves when it says that it runs. Killed after the test. */
export async function startProcess(
  t: TestContext,
  stage: Pick<Stage, 'folder' | 'env'>,
  role: 'start' | 'gateway' | 'worker',
  extra: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<AntlerProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, role, ...args], {
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

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `antler <words>` on a stage to its end; `input` is what it reads. */
export async function runCommand(stage: Stage, words: readonly string[], input = ''): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, ...words], {
    cwd: stage.folder,
    env: { PATH, HOME, ...stage.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

/** The processes that a process has started. */
export function childrenOf(pid: number | undefined): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.split(' ').filter(Boolean).map(Number);
}

/** Has the process an open connection to that port of this machine? */
export function isConnectedTo(pid: number, url: string): boolean {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const inodes = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const target = readlinkOrEmpty(`/proc/${pid}/fd/${fd}`);
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
  });
  const established = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return established.some(
    ([, , remote, state, , , , , , inode]) =>
      state === '01' && remote?.endsWith(`:${port}`) === true && inodes.includes(inode ?? ''),
  );
}

function readlinkOrEmpty(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
}
