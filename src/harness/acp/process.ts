import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { AntlerError } from '../../base/errors.ts';
import type { ExternalAgentConfig } from './port.ts';

/** From the request to end to the end by force. */
const GRACE_MS = 2_000;

/** An agent's process, the leader of a group of its own so that nothing which it has started outlives it. */
export class AgentProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Rejects when it could not be started, or has ended; never resolves. */
  readonly gone: Promise<never>;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<void>;

  constructor({ name, command, args, env }: ExternalAgentConfig, folder: string) {
    // Nothing of our own environment, which holds keys: what it needs stands in the configuration.
    const { PATH = '', LANG = 'C.UTF-8' } = process.env;
    this.#child = spawn(command, args, {
      cwd: folder,
      env: { PATH, LANG, HOME: folder, ...env },
      // What it writes beside the protocol may hold anything, so it is not kept.
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    this.stdin = this.#child.stdin;
    this.stdout = this.#child.stdout;
    this.stdin.on('error', () => {}); // its end is told by the process
    const { promise: gone, reject } = Promise.withResolvers<never>();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.gone = gone;
    this.#ended = ended;
    gone.catch(() => {}); // whoever waits for something else hears of it there
    this.#child.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new AntlerError('unavailable', `agent ${name} could not be started (${cause.code ?? 'unknown'})`));
      resolve();
    });
    this.#child.once('exit', (code, signal) => {
      reject(new AntlerError('unavailable', `agent ${name} ended by itself (${signal ?? `code ${code}`})`));
      resolve();
    });
  }

  /** Ends it and everything that it has started; resolves when it is gone. */
  async stop(): Promise<void> {
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), GRACE_MS);
    await this.#ended;
    clearTimeout(timer);
    this.#signal('SIGKILL'); // what it has left behind
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      this.#child.kill(signal); // nobody of the group is left, or the system has no groups
    }
  }
}
