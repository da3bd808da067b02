import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Container, Exec } from 'dockerode';
import { AntlerError } from '../../../base/errors.ts';
import { sandboxUser } from '../folder/layout.ts';
import { AREA_PATHS } from '../paths.ts';
import type { ExecOptions, ExecResult } from '../port.ts';
import { COMMAND_MARK, endCommand } from './end-command.ts';
import { CappedOutput } from './output.ts';

/** Who writes more than this writes without end. */
const FLOOD_BYTES = 100_000_000;
const LOOK_FIRST_MS = 50;
const LOOK_MOST_MS = 500;
/** For the rest of the output, when something that goes on in the background holds it open. */
const DRAIN_MS = 150;
/** Until the engine knows how a command ended whose output has ended. */
const SETTLE_MS = 3_000;
const WATCH_MS = 1_000;
/** Even small commands are made of a few. */
const MIN_FREE_PROCESSES = 4;
/** The engine reads two streams in whatever order they come; from one, errors stand where they happened. */
const ONE_STREAM = 'exec /bin/bash -c "$1" 2>&1';

export interface CommandParts {
  readonly docker: Docker;
  readonly container: Container;
  /** Is the owner's space fuller than it may be? Asked every second. */
  readonly isOverfull: () => Promise<boolean>;
}

export type CommandEnd = {
  readonly result: ExecResult;
  /** Something of the command cannot be ended: the container has to go. */
  readonly isLost: boolean;
};

type Reason = 'ended' | 'time' | 'output' | 'disk' | 'cancelled';

/**
 * Runs one command in a fresh process of a container, until it ends or has to be ended. What it leaves in the background
 * is not waited for, even when that holds its output open.
 *
 * @throws what the engine says; AntlerError `cancelled`.
 */
export async function runCommand(
  { docker, container, isOverfull }: CommandParts,
  command: string,
  { timeoutMs, env, maxOutputBytes, signal }: ExecOptions,
): Promise<CommandEnd> {
  const mark = randomUUID();
  throwIfStopped(signal);
  const exec = await container.exec({
    Cmd: ['/bin/bash', '-c', ONE_STREAM, 'bash', command],
    Env: [...Object.entries(env).map(([name, value]) => `${name}=${value}`), `${COMMAND_MARK}=${mark}`],
    User: sandboxUser(),
    WorkingDir: AREA_PATHS.workspace,
    AttachStdout: true,
    AttachStderr: true,
  });
  throwIfStopped(signal); // nothing runs yet

  const { promise: reason, resolve: end } = Promise.withResolvers<Reason>();
  const cancel = (): void => end('cancelled');
  // Listened for from here on, since a stop can come while the engine starts the command, which it then does all the same.
  signal.addEventListener('abort', cancel, { once: true });
  const output = new CappedOutput(maxOutputBytes, FLOOD_BYTES, () => end('output'));
  const done = new AbortController();
  const timer = setTimeout(() => end('time'), timeoutMs);
  const starting = exec.start({ hijack: true, stdin: false });
  const watching = watch(isOverfull, () => end('disk'), done.signal);
  try {
    const stream = await Promise.race([starting, reason.then(() => null)]);
    const streamEnd = stream === null ? Promise.resolve() : ended(stream);
    if (stream !== null) {
      docker.modem.demuxStream(stream, output, output);
      void Promise.race([streamEnd, notRunning(exec, done.signal)]).then(
        () => end('ended'),
        () => end('ended'), // the engine is gone: how it ended is asked once more below
      );
    }
    const why = await reason;
    if (why === 'ended') {
      await Promise.race([streamEnd, delay(DRAIN_MS)]);
      const exitCode = await exitCodeOf(exec);
      // What goes on in the background may; where it leaves no room, no command could be run again.
      const isLost = exitCode !== 0 && (await isCrowded(container));
      const stopped = isLost ? { stopped: 'processes' as const } : {};
      return { result: { exitCode, timedOut: false, ...stopped, ...output.result() }, isLost };
    }
    const isLost = !(await endCommand(container, exec, mark));
    if (why === 'cancelled') {
      if (isLost) await container.kill().catch(() => {}); // it is gone already
      throw new AntlerError('cancelled', 'stopped');
    }
    const stopped = why === 'time' ? {} : { stopped: why };
    return { result: { exitCode: null, timedOut: why === 'time', ...stopped, ...output.result() }, isLost };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    done.abort();
    void starting.then(
      (stream) => stream.destroy(),
      () => {}, // told above, unless it was stopped before
    );
    await watching;
  }
}

function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new AntlerError('cancelled', 'stopped');
}

const ended = (stream: Duplex): Promise<void> =>
  new Promise((resolve) => {
    stream
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve());
  });

/** Looks now and then whether the command itself has ended: its output may be held open by what it has started. */
async function notRunning(exec: Exec, signal: AbortSignal): Promise<void> {
  for (let waitMs = LOOK_FIRST_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LOOK_MOST_MS)) {
    await delay(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted || !(await exec.inspect()).Running) return;
  }
}

async function watch(isOverfull: () => Promise<boolean>, onFull: () => void, signal: AbortSignal): Promise<void> {
  let waitMs = WATCH_MS;
  for (;;) {
    await delay(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const startedAt = performance.now();
    if (await isOverfull().catch(() => false)) onFull();
    // To measure must not become the work itself where there are very many files.
    waitMs = Math.max(WATCH_MS, (performance.now() - startedAt) * 10);
  }
}

/** Can no process be started any more? */
async function isCrowded(container: Container): Promise<boolean> {
  const stats = await container.stats({ stream: false, 'one-shot': true }).catch(() => null); // it may be gone
  const { current = 0, limit = 0 } = stats?.pids_stats ?? {};
  return limit > 0 && current > limit - MIN_FREE_PROCESSES;
}

/** Null when it was killed together with its container. */
async function exitCodeOf(exec: Exec): Promise<number | null> {
  const deadline = performance.now() + SETTLE_MS;
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 100)) {
    const { Running: running, ExitCode: code } = await exec.inspect();
    if (!running) return code;
    if (performance.now() > deadline) return null;
    await delay(waitMs);
  }
}
